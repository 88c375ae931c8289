// Package passages keeps the passage index in Milvus in step with the catalogue.
//
// The index is one row: the version of the catalogue that it has, and whether it
// is to be made anew. It is a piece of work whenever it is behind: queued →
// running → done, or back to queued when Milvus does not answer, then tried again
// after 2, 10, 30 and 60 seconds, and every 5 minutes for ever. Texts that
// changed are written a portion at a time; a worker that is lost costs its last
// portions.
//
// It is made anew beside the collection that is searched, which it then takes the
// place of: when somebody asks, when the collection is lost, when the vectors are
// of another generation, and when passages have become so much longer or shorter
// that the weights in it would lead a search astray.
package passages

import (
	"context"
	"log/slog"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/lease"
	"vigueur/internal/milvus"
	"vigueur/internal/postgres"
	"vigueur/internal/vector"
)

const (
	// portion is how many texts are written between two looks at the lease.
	portion = 50
	// settleTime is how long the last write may take once the work has ended.
	settleTime = 5 * time.Second
	// drift is the part by which the average length of passages may change before
	// the weights are made anew.
	drift = 0.2
)

// Backoff is how long to wait after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{2 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Runner feeds the index. Its fields are set once, before the first Run.
type Runner struct {
	DB    *postgres.DB
	Store *milvus.Store
	// Average is the length of a passage of the catalogue: flat.Index.Average.
	Average func() float64
	Log     *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Run brings the index up to the catalogue. LeaseLost: another worker holds it,
// or there is nothing to do. Other errors say why it was put back; so does the row.
func (r *Runner) Run(ctx context.Context, id uuid.UUID) error {
	row, err := r.DB.PassageIndex().Start(ctx, id)
	if err != nil {
		return err
	}
	began := time.Now()
	held, release := lease.Holder{Every: r.Renew}.Hold(ctx, func(ctx context.Context) (stop, err error) {
		return nil, r.DB.PassageIndex().Keep(ctx, id, row.Attempt)
	})
	texts, err := r.follow(held, row)
	if cause := context.Cause(held); err != nil && cause != nil {
		err = cause
	}
	release()
	outcome, err := r.settle(ctx, row, err)
	level := slog.LevelInfo
	if err != nil {
		level = slog.LevelWarn
	}
	r.Log.LogAttrs(ctx, level, "passage index", slog.Int("attempt", row.Attempt), slog.String("outcome", outcome), slog.Int("texts", texts),
		slog.Duration("took", time.Since(began)), slog.Any("error", err))
	return err
}

// settle writes the end of an attempt into the row.
func (r *Runner) settle(ctx context.Context, row postgres.Following, err error) (string, error) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	outcome, settled := "done", error(nil)
	switch {
	case err == nil:
		return outcome, r.DB.PassageIndex().Finish(last, row.ID, row.Attempt)
	case errs.Is(err, errs.LeaseLost):
		return "lost", err
	case ctx.Err() != nil:
		outcome, settled = "released", r.DB.PassageIndex().Release(last, row.ID, row.Attempt)
	default:
		outcome, settled = "failed", r.DB.PassageIndex().PutBack(last, row.ID, row.Attempt, reason(err), Backoff(row.Failures+1))
	}
	if settled != nil {
		r.Log.WarnContext(ctx, "passage index not settled", "error", settled)
	}
	return outcome, err
}

// reason is what an administrator reads: why Milvus was not to be written to is
// theirs to mend.
func reason(err error) string {
	if errs.Is(err, errs.Internal) || errs.Is(err, errs.Unavailable) {
		return err.Error()
	}
	return errs.Public(err)
}

// follow writes what the index lacks, until it lacks nothing.
func (r *Runner) follow(ctx context.Context, row postgres.Following) (texts int, err error) {
	wanted, err := r.wanted(ctx)
	if err != nil {
		return 0, err
	}
	in, err := r.Store.Searched(ctx)
	if err != nil && !milvus.Lost(err) {
		return 0, err
	}
	if row.Rebuild || err != nil || outdated(in, wanted) {
		if in, row.Version, texts, err = r.rebuild(ctx, wanted); err != nil {
			return texts, err
		}
		if err := r.DB.PassageIndex().Advance(ctx, row.ID, row.Attempt, row.Version); err != nil {
			return texts, err
		}
	}
	for {
		changed, version, err := r.DB.Changes(ctx, row.Version)
		if err != nil || len(changed) == 0 {
			return texts, err
		}
		for part := range slices.Chunk(changed, portion) {
			if err := r.write(ctx, in, version, part); err != nil {
				return texts, err
			}
			texts += len(part)
		}
		if err := r.DB.PassageIndex().Advance(ctx, row.ID, row.Attempt, version); err != nil {
			return texts, err
		}
		row.Version = version
	}
}

// wanted is the collection as it would be made now.
func (r *Runner) wanted(ctx context.Context) (c milvus.Collection, err error) {
	c.Average = r.Average()
	generations, err := r.DB.Generations(ctx)
	if err == nil && len(generations) > 0 && generations[0].Current {
		c.Generation, c.Dimensions = generations[0].ID, generations[0].Dimensions
	}
	return c, err
}

func outdated(is, wanted milvus.Collection) bool {
	return is.Generation != wanted.Generation || is.Dimensions != wanted.Dimensions ||
		math.Abs(wanted.Average-is.Average) > drift*is.Average
}

// rebuild makes the index anew, and gives the version of the catalogue that it
// then has at least.
func (r *Runner) rebuild(ctx context.Context, wanted milvus.Collection) (in milvus.Collection, version int64, texts int, err error) {
	if version, err = r.DB.CatalogueVersion(ctx); err != nil {
		return in, 0, 0, err
	}
	ids, err := r.DB.CatalogueIDs(ctx)
	if err != nil {
		return in, 0, 0, err
	}
	if in, err = r.Store.Begin(ctx, wanted); err != nil {
		return in, 0, 0, err
	}
	r.Log.InfoContext(ctx, "passage index is made anew", "collection", in.Name, "texts", len(ids), "generation", in.Generation)
	for part := range slices.Chunk(slices.Collect(maps.Keys(ids)), portion) {
		if err := r.write(ctx, in, version, part); err != nil {
			r.giveUp(ctx, in)
			return in, 0, texts, err
		}
		texts += len(part)
	}
	return in, version, texts, r.Store.Publish(ctx, in)
}

// giveUp takes an unfinished collection away, as far as Milvus lets it: the next
// that is finished drops those that are left.
func (r *Runner) giveUp(ctx context.Context, in milvus.Collection) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := r.Store.Drop(last, in); err != nil {
		r.Log.WarnContext(ctx, "unfinished collection left", "collection", in.Name, "error", err)
	}
}

// write puts texts as they are in the catalogue in the place of what the index
// has of them.
func (r *Runner) write(ctx context.Context, in milvus.Collection, version int64, texts []uuid.UUID) error {
	var rows []postgres.IndexRow
	if err := r.DB.IndexRows(ctx, texts, func(row postgres.IndexRow) error { rows = append(rows, row); return nil }); err != nil {
		return err
	}
	vectors := make(map[uuid.UUID][][]float32)
	err := r.DB.VectorRows(ctx, texts, func(row postgres.VectorRow) error {
		made, err := vector.Unpack(row.Packed)
		if row.Generation != in.Generation || err != nil || len(made) > 0 && len(made[0]) != in.Dimensions {
			return nil // the passage lacks them
		}
		vectors[row.PassageID] = made
		return nil
	})
	if err != nil {
		return err
	}
	return r.Store.Replace(ctx, in, version, texts, in.Rows(rows, vectors))
}
