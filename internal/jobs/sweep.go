package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/chat"
	"vigueur/internal/postgres"
)

const (
	// sweepEvery is how often rows without a worker are looked for.
	sweepEvery = time.Second
	// sweepBatch is how many rows of a kind one look hands out.
	sweepBatch = 100
	// statusEvery is how often it is looked whether changes to the law have taken
	// effect, which they do at midnight.
	statusEvery = 10 * time.Minute
	// pruneEvery is how often what nothing asks for any more is removed.
	pruneEvery = time.Hour
	// hintTime is how long one hint may take.
	hintTime = 2 * time.Second
)

// Store is where the sweep finds rows: *postgres.DB.
type Store interface {
	DueAnswers(ctx context.Context, limit int) ([]uuid.UUID, error)
	DueIngestions(ctx context.Context, limit int) ([]uuid.UUID, error)
	DueNotifications(ctx context.Context, limit int) ([]uuid.UUID, error)
	FailHopeless(ctx context.Context) ([]postgres.GivenUp, error)
	RefreshStatuses(ctx context.Context) (int, error)
	Prune(ctx context.Context) (int64, error)
}

// Index is an index outside PostgreSQL that follows the catalogue.
type Index struct {
	Due  func(ctx context.Context, limit int) ([]uuid.UUID, error) // postgres.Follower.Due
	Hint Hinter
}

// Sweep finds rows whose lease or hint ran out, and brings statuses up to date.
// Every worker runs one; a row goes to one of them.
type Sweep struct {
	Store        Store
	Answer       Hinter
	Ingestion    Hinter
	Notification Hinter
	Titles       Index // without Hint: there is no title index
	Passages     Index // without Hint: passages are in the workers' memory
	// Tell tells the readers of an answer that was given up that it has ended.
	Tell func(ctx context.Context, answer uuid.UUID, attempt int, kind chat.EventKind, data []byte)
	Log  *slog.Logger
}

// Run sweeps once a second until ctx ends. A store that is down is asked again.
func (s *Sweep) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	statuses := time.NewTicker(statusEvery)
	defer statuses.Stop()
	prunes := time.NewTicker(pruneEvery)
	defer prunes.Stop()
	s.refresh(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.Once(ctx)
		case <-statuses.C:
			s.refresh(ctx)
		case <-prunes.C:
			s.prune(ctx)
		}
	}
}

func (s *Sweep) prune(ctx context.Context) {
	n, err := s.Store.Prune(ctx)
	if err != nil {
		s.report(ctx, "prune", err)
	}
	if n > 0 {
		s.Log.InfoContext(ctx, "rows removed that nothing asks for", "rows", n)
	}
}

func (s *Sweep) refresh(ctx context.Context) {
	n, err := s.Store.RefreshStatuses(ctx)
	if err != nil {
		s.report(ctx, "statuses", err)
	}
	if n > 0 {
		s.Log.InfoContext(ctx, "statuses brought up to date", "texts", n)
	}
}

// Once looks for rows and hands each out.
func (s *Sweep) Once(ctx context.Context) {
	s.hand(ctx, "answer", s.Store.DueAnswers, s.Answer)
	s.hand(ctx, "ingestion", s.Store.DueIngestions, s.Ingestion)
	s.hand(ctx, "notification", s.Store.DueNotifications, s.Notification)
	if s.Titles.Hint != nil {
		s.hand(ctx, "titles", s.Titles.Due, s.Titles.Hint)
	}
	if s.Passages.Hint != nil {
		s.hand(ctx, "passages", s.Passages.Due, s.Passages.Hint)
	}
	lost, err := s.Store.FailHopeless(ctx)
	if err != nil {
		s.report(ctx, "give up", err)
	}
	for _, answer := range lost {
		s.Log.ErrorContext(ctx, "answer given up", "message_id", answer.ID)
		s.Tell(ctx, answer.ID, answer.Attempt, chat.ErrorKind, chat.ErrorData(postgres.LostText))
	}
}

func (s *Sweep) hand(ctx context.Context, kind string, due func(context.Context, int) ([]uuid.UUID, error), hint Hinter) {
	ids, err := due(ctx, sweepBatch)
	if err != nil {
		s.report(ctx, kind, err)
		return
	}
	for _, id := range ids {
		s.Log.DebugContext(ctx, "hint again", "kind", kind, "id", id)
		if err := hint(ctx, id); err != nil {
			s.report(ctx, kind, err)
			return
		}
	}
}

func (s *Sweep) report(ctx context.Context, kind string, err error) {
	if ctx.Err() == nil {
		s.Log.WarnContext(ctx, "sweep", "kind", kind, "error", err)
	}
}
