package main

import (
	"context"
	"errors"
	"time"

	"vigueur/internal/search/finding"
	"vigueur/internal/search/milvus"
	"vigueur/internal/work/passages"
)

// milvusIndex is what a worker needs to search and update passages in Milvus. It is nil if
// the passages are in the worker's memory.
type milvusIndex struct {
	*finding.Finder
	runner *passages.Runner
	stores []*milvus.Store
}

// feedingPatience is the timeout of writes to Milvus. It is long, because nobody waits for
// these writes.
const feedingPatience = 10 * time.Second

func (w *worker) openMilvusIndex() *milvusIndex {
	c := w.config.Stores
	if c.MilvusURL == "" {
		return nil
	}
	searched := &milvus.Store{Address: c.MilvusURL, Key: c.MilvusKey, Patience: w.config.MilvusPatience}
	fed := &milvus.Store{Address: c.MilvusURL, Key: c.MilvusKey, Patience: max(feedingPatience, w.config.MilvusPatience)}
	index := &milvus.Index{Store: searched, Register: w.index, Lost: w.requestRebuild}
	return &milvusIndex{
		Finder: &finding.Finder{Milvus: index.Search, Words: w.db, Register: w.index, Log: w.log,
			Lacks: func(ctx context.Context) (int, error) {
				return w.db.PassageIndex().Behind(ctx, finding.Behind)
			}},
		runner: &passages.Runner{DB: w.db, Store: fed, Average: w.index.Average, Log: w.log},
		stores: []*milvus.Store{searched, fed},
	}
}

func (e *milvusIndex) close() (err error) {
	for _, s := range e.stores {
		err = errors.Join(err, s.Close())
	}
	return err
}

// requestRebuild requests a rebuild of the collection because a search did not find the collection.
func (w *worker) requestRebuild(ctx context.Context, why error) {
	w.log.WarnContext(ctx, "a search found no passage index", "error", why)
	if err := w.db.PassageIndex().Miss(context.WithoutCancel(ctx)); err != nil {
		w.log.WarnContext(ctx, "request a rebuild of the passage index", "error", err)
	}
}
