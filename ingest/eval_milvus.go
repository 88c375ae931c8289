package main

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/flat"
	"vigueur/internal/milvus"
	"vigueur/internal/postgres"
)

// measuredPatience is how long a measurement waits for Milvus: figures of a slow
// one are figures, too.
const measuredPatience = time.Minute

// passageSearch finds passages, wherever they are.
type passageSearch func(ctx context.Context, q flat.Query) ([]flat.Hit, error)

// searchOf gives the search of a corpus in memory or, with an address, in a
// Milvus, in a collection of its own that close takes away again.
func searchOf(ctx context.Context, corpus *fixed, address, key string) (search passageSearch, passages int, closed func() error, err error) {
	options := flat.Options{Source: corpus, Register: address != ""}
	if corpus.vectors != nil && !options.Register {
		options.Vectors = corpus
	}
	index, err := flat.Open(ctx, options)
	if err != nil {
		return nil, 0, nil, err
	}
	passages, _ = index.Size()
	if address == "" {
		return func(_ context.Context, q flat.Query) ([]flat.Hit, error) { return index.Search(q), nil }, passages, func() error { return nil }, nil
	}
	store := &milvus.Store{Address: address, Key: key, Patience: measuredPatience, Alias: "vigueur_eval_" + strings.ReplaceAll(uuid.NewString(), "-", "")}
	vectors, dimensions, err := corpus.unpacked()
	if err != nil {
		return nil, 0, nil, err
	}
	of := uuid.Nil
	if dimensions > 0 {
		of = generation
	}
	in, err := store.Begin(ctx, milvus.Collection{Average: index.Average(), Generation: of, Dimensions: dimensions})
	if err != nil {
		return nil, 0, nil, err
	}
	closed = func() error {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), measuredPatience)
		defer cancel()
		return store.Remove(last, in)
	}
	if err := fill(ctx, store, in, corpus.rows, vectors); err != nil {
		return nil, 0, closed, err
	}
	if err := store.Publish(ctx, in); err != nil {
		return nil, 0, closed, err
	}
	return (&milvus.Index{Store: store, Register: index}).Search, passages, closed, nil
}

// fillRows is how many passages are made ready for Milvus at a time.
const fillRows = 2000

// fill writes a corpus; texts may be cut in the middle, as nothing of them is replaced.
func fill(ctx context.Context, store *milvus.Store, in milvus.Collection, rows []postgres.IndexRow, vectors map[uuid.UUID][][]float32) error {
	for len(rows) > 0 {
		n := min(fillRows, len(rows))
		if err := store.Replace(ctx, in, 1, nil, in.Rows(rows[:n], vectors)); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
