package embedding

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work"
)

// Known caches the generation of a Runner, so that the model does not embed the probe for every
// question. While the model does not respond, it is asked again after Pause.
type Known struct {
	*Runner
	mu     sync.Mutex
	id     uuid.UUID
	failed time.Time
}

// ID returns the id of the generation, from the cache if it is known.
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
			k.Log.WarnContext(ctx, "no vectors: questions are searched by words alone", "model", k.Name, "error", err)
		}
		return uuid.Nil, err
	}
	k.id = g.ID
	k.Log.InfoContext(ctx, "vectors", "generation", g.ID, "model", g.Model, "fingerprint", g.Fingerprint, "dimensions", g.Dimensions, "current", g.Current)
	return k.id, nil
}

// Lease leases a generation as Runner.Lease does. LeaseLost may mean that the model was replaced, so
// it clears the cache.
func (k *Known) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	job, err := k.Runner.Lease(ctx, id)
	if errs.Is(err, errs.LeaseLost) {
		k.mu.Lock()
		k.id = uuid.Nil // determined again when next needed
		k.mu.Unlock()
	}
	return job, err
}

// Due does what Runner.Due does, with the cached generation. It ignores an error of ID, which has
// logged it.
func (k *Known) Due(ctx context.Context, _ int) ([]uuid.UUID, error) {
	id, err := k.ID(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr // see above
	}
	return k.DB.DueEmbedding(ctx, id)
}
