package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/queue"
)

// Embedding handles the tasks of vectors.
func Embedding(base context.Context, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return handler(base, "embedding", run, hint, log)
}

// Generations is where it stands whether passages lack vectors: *postgres.DB.
type Generations interface {
	DueEmbedding(ctx context.Context, generation uuid.UUID) (bool, error)
}

// EmbeddingSweep gives hints for the generation of this worker's model: for new
// passages, and when the worker that embedded them is gone.
type EmbeddingSweep struct {
	Store Generations
	// Generation is the one to look after. It may be known late, when the model
	// answers; an error is asked again.
	Generation func(ctx context.Context) (uuid.UUID, error)
	Hint       Hinter
	Log        *slog.Logger
}

// Run looks once a second until ctx ends. A model or a store that is down is
// asked again.
func (s *EmbeddingSweep) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.Once(ctx)
		}
	}
}

// Once looks, and gives a hint when one is due.
func (s *EmbeddingSweep) Once(ctx context.Context) {
	id, err := s.Generation(ctx)
	if err != nil {
		return // whoever gives the generation tells of it
	}
	due, err := s.Store.DueEmbedding(ctx, id)
	if err == nil && due {
		err = s.Hint(ctx, id)
	}
	if err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "sweep", "kind", "embedding", "error", err)
	}
}
