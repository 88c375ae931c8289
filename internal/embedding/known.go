package embedding

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/work"
)

// Known remembers the generation of a Runner, so that the model is not asked for
// it again and again, and asks again after Pause while it does not answer.
type Known struct {
	*Runner
	mu     sync.Mutex
	id     uuid.UUID
	failed time.Time
}

// ID gives the generation, from memory when it is known.
func (k *Known) ID(ctx context.Context) (uuid.UUID, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.id != uuid.Nil {
		return k.id, nil
	}
	if !k.failed.IsZero() && time.Since(k.failed) < Pause {
		return uuid.Nil, errs.New(errs.Unavailable, "")
	}
	g, err := k.Generation(ctx)
	if err != nil {
		if ctx.Err() == nil {
			k.failed = time.Now()
			k.Log.WarnContext(ctx, "no vectors: answers go by words alone", "model", k.Name, "error", err)
		}
		return uuid.Nil, err
	}
	k.id = g.ID
	k.Log.InfoContext(ctx, "vectors", "generation", g.ID, "model", g.Model, "fingerprint", g.Fingerprint, "dimensions", g.Dimensions, "current", g.Current)
	return k.id, nil
}

// Class is the Runner's. A model that turns out to be another is noticed.
func (k *Known) Class() work.Class {
	c := k.Runner.Class()
	take := c.Take
	c.Take = func(ctx context.Context, id uuid.UUID) (work.Attempt, error) {
		a, err := take(ctx, id)
		if errs.Is(err, errs.LeaseLost) {
			k.mu.Lock()
			k.id = uuid.Nil // asked again, when it is next needed
			k.mu.Unlock()
		}
		return a, err
	}
	c.Due = k.due
	return c
}

// Run is the Runner's, of this Class.
func (k *Known) Run(ctx context.Context, id uuid.UUID) error { return k.Class().Run(ctx, id) }

// due gives the generation when passages lack vectors of it, or the worker that
// embedded them is gone. A model that does not answer has been told of by ID.
func (k *Known) due(ctx context.Context, _ int) ([]uuid.UUID, error) {
	id, err := k.ID(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr // see above
	}
	due, err := k.DB.DueEmbedding(ctx, id)
	if err != nil || !due {
		return nil, err
	}
	return []uuid.UUID{id}, nil
}
