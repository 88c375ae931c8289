package titles

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/meili"
	"vigueur/internal/postgres"
)

// rest is how long an index that has failed is not asked.
const rest = 5 * time.Second

// Searcher asks the index for titles. Its fields are set once, before the first
// Nearest, which is a postgres.Nearest.
type Searcher struct {
	Index *meili.Index
	Log   *slog.Logger
	Now   func() time.Time

	mu    sync.Mutex
	until time.Time // the index is left alone
}

// errResting is why a search was not made.
var errResting = errs.New(errs.Unavailable, "")

// Nearest gives the texts whose titles are like the one asked for.
func (s *Searcher) Nearest(ctx context.Context, q postgres.DocumentQuery) ([]uuid.UUID, error) {
	if s.resting() {
		return nil, errResting
	}
	ids, err := s.Index.Search(ctx, meili.Query{Title: q.Title, Domain: q.Domain, Type: q.Type, Status: q.Status})
	if err != nil && ctx.Err() == nil {
		s.mu.Lock()
		s.until = s.Now().Add(rest)
		s.mu.Unlock()
		s.Log.WarnContext(ctx, "title index: PostgreSQL answers", "error", err)
	}
	return ids, err
}

func (s *Searcher) resting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Now().Before(s.until)
}
