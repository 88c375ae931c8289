package titles

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
)

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
