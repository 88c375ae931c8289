// Package passages keeps the passage index in Milvus in step with the catalogue.
//
// A rebuild fills a new collection, which then replaces the one that is searched. A rebuild
// is made on request, when the collection is lost, when the current vectors belong to
// another generation, and when the average length of passages has changed so much that the
// BM25 weights in the collection are wrong.
package passages

import (
	"context"
	"log/slog"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/search/milvus"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

const (
	// portion is the number of texts that are written in a batch.
	portion = 50
	// dropTime bounds dropping an unfinished collection.
	dropTime = 5 * time.Second
	// drift is the relative change of the average length of passages beyond which the
	// collection is rebuilt.
	drift = 0.2
)

// PassageFeeder updates the index. Its fields are set once, before the first Run.
type PassageFeeder struct {
	DB    *postgres.DB
	Store *milvus.Store
	// Average returns the mean length of the catalogue's passages, in words:
	// memindex.Index.Average.
	Average func() float64
	Log     *slog.Logger
}

// Worker keeps the passage index up to date.
func (r *PassageFeeder) Worker() work.Worker {
	return indexsync.Follower{Names: queue.Passages, DB: r.DB, Row: r.DB.PassageIndex(), Portion: portion,
		Open: func() indexsync.Feed { return &feed{PassageFeeder: r} }, Reason: reason, Log: r.Log}
}

// reason is the text of an error for an administrator, who has to fix the fault of Milvus,
// so it is not shortened.
func reason(err error) string {
	if errs.Is(err, errs.Internal) || errs.Is(err, errs.Unavailable) {
		return err.Error()
	}
	return errs.Public(err)
}

// feed implements indexsync.Feed for one attempt.
type feed struct {
	*PassageFeeder
	in     milvus.Collection // the collection written to
	wanted milvus.Collection // the collection that a rebuild would make now
}

// Outdated compares the collection that is searched with the one that a rebuild would
// make.
func (f *feed) Outdated(ctx context.Context) (bool, error) {
	wanted, err := f.wantedCollection(ctx)
	if err != nil {
		return false, err
	}
	f.wanted = wanted
	collection, err := f.Store.Searched(ctx)
	if err != nil && !milvus.Lost(err) {
		return false, err
	}
	f.in = collection
	return err != nil || outdated(collection, wanted), nil
}

// wantedCollection describes the collection that a rebuild would make now.
func (r *PassageFeeder) wantedCollection(ctx context.Context) (c milvus.Collection, err error) {
	c.Average = r.Average()
	generations, err := r.DB.Generations(ctx)
	if err == nil && len(generations) > 0 && generations[0].Current {
		c.Generation, c.Dimensions = generations[0].ID, generations[0].Dimensions
	}
	return c, err
}

func outdated(collection, wanted milvus.Collection) bool {
	return collection.Generation != wanted.Generation || collection.Dimensions != wanted.Dimensions ||
		math.Abs(wanted.Average-collection.Average) > drift*collection.Average
}

// Rebuild fills a new collection, which then replaces the one that is searched.
func (f *feed) Rebuild(ctx context.Context) (version int64, texts int, err error) {
	if version, err = f.DB.CatalogueVersion(ctx); err != nil {
		return 0, 0, err
	}
	ids, err := f.DB.CatalogueIDs(ctx)
	if err != nil {
		return 0, 0, err
	}
	if f.in, err = f.Store.Begin(ctx, f.wanted); err != nil {
		return 0, 0, err
	}
	f.Log.InfoContext(ctx, "passage index is rebuilt", "collection", f.in.Name, "texts", len(ids), "generation", f.in.Generation)
	for part := range slices.Chunk(slices.Collect(maps.Keys(ids)), portion) {
		if err := f.Write(ctx, version, part); err != nil {
			f.dropUnfinished(ctx, f.in)
			return 0, texts, err
		}
		texts += len(part)
	}
	return version, texts, f.Store.Publish(ctx, f.in)
}

// dropUnfinished drops an unfinished collection, if Milvus responds. Otherwise the next
// rebuild that succeeds drops it.
func (r *PassageFeeder) dropUnfinished(ctx context.Context, collection milvus.Collection) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTime)
	defer cancel()
	if err := r.Store.Drop(last, collection); err != nil {
		r.Log.WarnContext(ctx, "unfinished collection left", "collection", collection.Name, "error", err)
	}
}

// Write replaces texts in the collection with their state in the catalogue.
func (f *feed) Write(ctx context.Context, version int64, texts []uuid.UUID) error {
	var rows []postgres.IndexRow
	if err := f.DB.IndexRows(ctx, texts, func(row postgres.IndexRow) error { rows = append(rows, row); return nil }); err != nil {
		return err
	}
	vectors := make(map[uuid.UUID][][]float32)
	err := f.DB.VectorRows(ctx, texts, func(row postgres.VectorRow) error {
		made, err := vector.Unpack(row.Packed)
		if row.Generation != f.in.Generation || err != nil || len(made) > 0 && len(made[0]) != f.in.Dimensions {
			return nil // the passage is written without vectors
		}
		vectors[row.PassageID] = made
		return nil
	})
	if err != nil {
		return err
	}
	return f.Store.Replace(ctx, f.in, version, texts, f.in.Rows(rows, vectors))
}
