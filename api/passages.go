package main

import (
	"cmp"
	"context"
	"errors"

	"vigueur/internal/search/finding"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi"
)

// errFilling reports that the collection still lacks many texts of the catalogue.
var errFilling = errors.New("the passage index is behind the catalogue")

// searchable checks whether searches use Milvus. Its error says what they use instead.
// Package finding makes the same decision in a worker.
func searchable(ctx context.Context, store *milvus.Store, db *postgres.DB) error {
	err := store.Ping(ctx)
	if err != nil && !milvus.Lost(err) {
		return &httpapi.Degraded{Detail: "Milvus ne répond pas ; les questions sont cherchées par les mots.", Err: err}
	}
	texts, failed := db.PassageIndex().Behind(ctx, finding.Behind)
	if failed != nil {
		return errors.Join(err, failed)
	}
	if err == nil && texts < finding.Behind {
		return nil
	}
	return &httpapi.Degraded{Detail: "L’index des passages se remplit ; les questions sont cherchées par les mots.", Err: cmp.Or(err, errFilling)}
}
