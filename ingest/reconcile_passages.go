package main

import (
	"context"
	"fmt"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/search/milvus"
)

// comparePatience is the timeout for a reply of Milvus during the comparison.
const comparePatience = time.Minute

// passages compares the passage index in Milvus with the catalogue, if there is an index
// and it is up to date.
func (r *reconciling) passages(ctx context.Context, address, key string) (err error) {
	if address == "" {
		return nil
	}
	row, err := r.db.PassageIndex().Now(ctx)
	if err != nil {
		return err
	}
	version, err := r.db.CatalogueVersion(ctx)
	if err != nil || row.Rebuild || row.Version < version {
		return err // the index is being updated
	}
	passages := 0
	if err := r.db.CatalogueTexts(ctx, nil, func(d law.Document) error { passages += d.Passages; return nil }); err != nil {
		return err
	}
	store := &milvus.Store{Address: address, Key: key, Patience: comparePatience}
	defer store.Close() // nothing waits to be written
	indexed, err := store.Passages(ctx)
	if err != nil && !milvus.Lost(err) {
		return err
	}
	if err == nil && indexed == passages {
		return nil
	}
	if r.mend {
		if err := r.db.PassageIndex().Remake(ctx); err != nil {
			return err
		}
	}
	r.add("index", "milvus", fmt.Sprintf("%s au lieu de %d", count(indexed, "passage"), passages), r.mend)
	return nil
}
