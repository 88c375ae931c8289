package main

import (
	"context"

	"vigueur/internal/jobs"
	"vigueur/internal/milvus"
	"vigueur/internal/passages"
	"vigueur/internal/queue"
)

// elsewhere is what a worker has whose passages are in a Milvus; nil without one.
type elsewhere struct {
	*milvus.Index
	runner *passages.Runner
}

func (w *worker) openElsewhere() *elsewhere {
	c := w.config.Stores
	if c.MilvusURL == "" {
		return nil
	}
	store := &milvus.Store{Address: c.MilvusURL, Key: c.MilvusKey}
	return &elsewhere{
		Index:  &milvus.Index{Store: store, Register: w.index, Lost: w.missed},
		runner: &passages.Runner{DB: w.db, Store: store, Average: w.index.Average, Log: w.log},
	}
}

// missed has the collection made anew that a search has missed.
func (w *worker) missed(ctx context.Context, why error) {
	w.log.WarnContext(ctx, "passage index missed", "error", why)
	if err := w.db.PassageIndex().Miss(context.WithoutCancel(ctx)); err != nil {
		w.log.WarnContext(ctx, "passage index not asked for", "error", err)
	}
}

// passages is the queue of the passage index.
func (w *worker) passages(ctx context.Context) queue.Options {
	return queue.Options{Class: queue.Passages, Concurrency: 1, PollEvery: titlesPoll,
		Handle: jobs.Passages(ctx, w.elsewhere.runner, w.queue.EnqueuePassages, w.log)}
}
