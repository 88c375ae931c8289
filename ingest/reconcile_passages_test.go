package main

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/search/milvus"
	"vigueur/internal/search/milvus/milvustest"
	"vigueur/internal/store/postgres"
)

func TestReindexAndPassagesThatDisagree(t *testing.T) {
	t.Parallel()
	s := milvustest.Start(t)
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	d.environ["VIGUEUR_MILVUS_URL"] = "http://" + s.Address
	d.run(t, "reindex", "--passages").want(t, exitDone, "Passages dans Milvus : l’index sera refait")
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.") // the index is due and will be updated
	made := `UPDATE followers SET rebuild = false, version = (SELECT max(version) FROM catalogue_changes) WHERE name = 'passages'`
	d.sql(t, made)
	d.run(t, "reconcile", "--dry-run").want(t, exitFailed, "index des passages en désaccord", "passages : 0 au lieu de 2")

	store := &milvus.Store{Address: s.Address}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	var rows []postgres.IndexRow
	if err := d.db(t).IndexRows(t.Context(), nil, func(r postgres.IndexRow) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	collection, err := store.Begin(t.Context(), milvus.Collection{Average: 10})
	if err == nil {
		err = store.Replace(t.Context(), collection, 1, nil, collection.Rows(rows, nil))
	}
	if err == nil {
		err = store.Publish(t.Context(), collection)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.")
	if err := store.Replace(t.Context(), collection, 2, []uuid.UUID{rows[0].Passage.DocumentID}, nil); err != nil {
		t.Fatal(err)
	}
	d.run(t, "reconcile").want(t, exitDone, "passages : 0 au lieu de 2", "oui")
	if row, err := d.db(t).PassageIndex().Now(t.Context()); err != nil || !row.Rebuild {
		t.Errorf("row %+v, %v", row, err)
	}
}
