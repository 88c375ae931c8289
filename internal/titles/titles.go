// Package titles keeps the title index in step with the catalogue, and asks it
// for titles that are like what somebody typed.
//
// The index is one row: the version of the catalogue that it has, and whether it
// is to be made anew. It is a piece of work whenever it is behind: queued →
// running → done, or back to queued when the index does not answer, then tried
// again after 2, 10, 30 and 60 seconds, and every 5 minutes for ever. A worker
// that is lost costs its last portion: the version is written after each.
//
// Whoever searches never waits for an index that is down: after an error it is
// not asked for a while, and PostgreSQL answers alone.
package titles

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/law"
	"vigueur/internal/lease"
	"vigueur/internal/meili"
	"vigueur/internal/postgres"
)

const (
	// portion is how many texts are fed between two looks at the lease.
	portion = 1000
	// settleTime is how long the last write may take once the work has ended.
	settleTime = 5 * time.Second
)

// Backoff is how long to wait after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{2 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Runner feeds the index. Its fields are set once, before the first Run.
type Runner struct {
	DB    *postgres.DB
	Index *meili.Index
	Log   *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Run brings the index up to the catalogue. LeaseLost: another worker holds it,
// or there is nothing to do. Other errors say why it was put back; so does the row.
func (r *Runner) Run(ctx context.Context, id uuid.UUID) error {
	row, err := r.DB.TitleIndex().Start(ctx, id)
	if err != nil {
		return err
	}
	held, release := lease.Holder{Every: r.Renew}.Hold(ctx, func(ctx context.Context) (stop, err error) {
		return nil, r.DB.TitleIndex().Keep(ctx, id, row.Attempt)
	})
	fed, err := r.follow(held, row)
	cause := context.Cause(held)
	release()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	outcome := "done"
	switch {
	case err == nil:
		err = r.DB.TitleIndex().Finish(last, id, row.Attempt)
	case errs.Is(cause, errs.LeaseLost), errs.Is(err, errs.LeaseLost):
		return errs.Wrap(errs.LeaseLost, "", err)
	case ctx.Err() != nil:
		outcome = "released"
		r.note(ctx, r.DB.TitleIndex().Release(last, id, row.Attempt))
	default:
		outcome = "failed"
		r.note(ctx, r.DB.TitleIndex().PutBack(last, id, row.Attempt, reason(err), Backoff(row.Failures+1)))
	}
	level := slog.LevelInfo
	if err != nil {
		level = slog.LevelWarn
	}
	r.Log.LogAttrs(ctx, level, "title index", slog.Int("attempt", row.Attempt), slog.String("outcome", outcome), slog.Int("titles", fed), slog.Any("error", err))
	return err
}

// reason is what an administrator reads; a refusal of the server is told whole,
// for its key or its settings are theirs to mend.
func reason(err error) string {
	if errs.Is(err, errs.Internal) {
		return err.Error()
	}
	return errs.Public(err)
}

func (r *Runner) note(ctx context.Context, err error) {
	if err != nil {
		r.Log.WarnContext(ctx, "title index not settled", "error", err)
	}
}

// follow feeds what the index lacks, until it lacks nothing.
func (r *Runner) follow(ctx context.Context, row postgres.Following) (fed int, err error) {
	if row.Rebuild {
		version, n, err := r.rebuild(ctx)
		if err != nil {
			return n, err
		}
		if err := r.DB.TitleIndex().Advance(ctx, row.ID, row.Attempt, version); err != nil {
			return n, err
		}
		row.Version, fed = version, n
	}
	for {
		changed, version, err := r.DB.Changes(ctx, row.Version)
		if err != nil || len(changed) == 0 {
			return fed, err
		}
		for part := range slices.Chunk(changed, portion) {
			if err := r.feed(ctx, part); err != nil {
				return fed, err
			}
			fed += len(part)
		}
		if err := r.DB.TitleIndex().Advance(ctx, row.ID, row.Attempt, version); err != nil {
			return fed, err
		}
		row.Version = version
	}
}

// rebuild makes the index anew, and gives the version that it then has at least.
func (r *Runner) rebuild(ctx context.Context) (version int64, n int, err error) {
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

// feed indexes those of the texts that are in the catalogue and takes the others out.
func (r *Runner) feed(ctx context.Context, ids []uuid.UUID) error {
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
