// Package titles keeps the title index in Meilisearch in step with the catalogue, and
// searches it for titles similar to what somebody typed.
//
// After an error the index is not searched for a few seconds (a circuit breaker), and
// PostgreSQL answers alone, so that no search waits for an index that is down.
package titles

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// portion is the number of texts that are written in a batch.
const portion = 1000

// TitleFeeder updates the index. Its fields are set once, before the first Run.
type TitleFeeder struct {
	DB    *postgres.DB
	Index *meili.Index
	Log   *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Worker keeps the title index up to date.
func (r *TitleFeeder) Worker() work.Worker {
	return indexsync.Follower{Names: queue.Titles, DB: r.DB, Row: r.DB.TitleIndex(), Portion: portion,
		Open: func() indexsync.Feed { return r }, Reason: reason, Log: r.Log, Renew: r.Renew}
}

// Outdated returns false: the index depends on nothing except the texts.
func (r *TitleFeeder) Outdated(context.Context) (bool, error) { return false, nil }

// reason returns the text of an error for an administrator, in French. A refusal by the
// server is not shortened, because the administrator has to fix the key or the settings.
func reason(err error) string {
	if errs.Is(err, errs.Internal) {
		return err.Error()
	}
	return errs.Public(err)
}

// Rebuild fills a new index and swaps it with the one that is searched.
func (r *TitleFeeder) Rebuild(ctx context.Context) (version int64, n int, err error) {
	if version, err = r.DB.CatalogueVersion(ctx); err != nil {
		return 0, 0, err
	}
	err = r.Index.Rebuild(ctx, func(put func([]meili.Title) error) error {
		var titles []meili.Title
		flush := func() error {
			n += len(titles)
			err := put(titles)
			titles = titles[:0]
			return err
		}
		err := r.DB.CatalogueTexts(ctx, nil, func(d law.Document) error {
			if titles = append(titles, meili.TitleOf(d)); len(titles) < portion {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
		return flush()
	})
	return version, n, err
}

// Write indexes the texts that are in the catalogue and deletes the others from the index.
func (r *TitleFeeder) Write(ctx context.Context, _ int64, ids []uuid.UUID) error {
	var titles []meili.Title
	there := map[uuid.UUID]bool{}
	err := r.DB.CatalogueTexts(ctx, ids, func(d law.Document) error {
		titles = append(titles, meili.TitleOf(d))
		there[d.ID] = true
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.Index.Put(ctx, titles); err != nil {
		return fmt.Errorf("put %d titles: %w", len(titles), err)
	}
	gone := slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return there[id] })
	if err := r.Index.Delete(ctx, gone); err != nil {
		return fmt.Errorf("delete %d titles: %w", len(gone), err)
	}
	return nil
}

// retryAfter is the time after an error during which the index is not searched.
const retryAfter = 5 * time.Second

// Searcher searches the index for titles. Its fields are set once, before the first call
// of Nearest, which is a postgres.Nearest.
type Searcher struct {
	Index *meili.Index
	Log   *slog.Logger
	Now   func() time.Time

	mu    sync.Mutex
	until time.Time // the index is not searched before this time
}

// errCircuitOpen reports a search that was not made because of an earlier error.
var errCircuitOpen = errs.New(errs.Unavailable, "")

// Nearest returns the texts whose titles are similar to the one searched for.
func (s *Searcher) Nearest(ctx context.Context, q postgres.DocumentQuery) ([]uuid.UUID, error) {
	if s.circuitOpen() {
		return nil, errCircuitOpen
	}
	ids, err := s.Index.Search(ctx, meili.Query{Title: q.Title, Domain: q.Domain, Type: q.Type, Status: q.Status})
	if err != nil && ctx.Err() == nil {
		s.mu.Lock()
		s.until = s.Now().Add(retryAfter)
		s.mu.Unlock()
		s.Log.WarnContext(ctx, "title index: PostgreSQL answers", "error", err)
	}
	return ids, err
}

func (s *Searcher) circuitOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Now().Before(s.until)
}
