// Package reconcile compares the rows of the database with each other, with the stored files and with the indexes of titles
// and passages, and mends what can be mended.
package reconcile

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
)

// orphanAge is the age from which a file without a row is an orphan. A younger file may get
// its row soon, because bytes are stored first.
const orphanAge = time.Hour

// Finding is an inconsistency.
type Finding struct {
	What   string `json:"what"`
	Object string `json:"object"`
	Name   string `json:"name"`
	Mended bool   `json:"mended"`
}

// Stores are what is compared. An index without an address is not there.
type Stores struct {
	DB                   *postgres.DB
	Files                blobs.Store
	MeiliURL, MeiliKey   string
	MilvusURL, MilvusKey string
}

// reconciling is one comparison.
type reconciling struct {
	Stores
	mend     bool
	findings []Finding
}

// Look compares the stores, mends what can be mended if mend is set, and returns the inconsistencies that it found.
func Look(ctx context.Context, s Stores, mend bool) ([]Finding, error) {
	r := &reconciling{Stores: s, mend: mend}
	for _, look := range []func(context.Context) error{r.rows, r.files, r.titles, r.passages} {
		if err := look(ctx); err != nil {
			return nil, err
		}
	}
	return r.findings, nil
}

func (r *reconciling) add(what, object, name string, mended bool) {
	r.findings = append(r.findings, Finding{what, object, name, mended})
}

// rows checks whether the rows are consistent with each other.
func (r *reconciling) rows(ctx context.Context) error {
	for _, kind := range postgres.InconsistencyKinds() {
		found, err := r.DB.Inconsistencies(ctx, kind, r.mend)
		if err != nil {
			return err
		}
		for _, f := range found {
			r.add(kind, f.ID.String(), f.Name, r.mend)
		}
	}
	return nil
}

// files compares the rows with the stored files, and looks for incomplete files of crashed
// processes.
func (r *reconciling) files(ctx context.Context) error {
	known := map[string]bool{}
	err := r.DB.Files(ctx, func(i postgres.Ingestion) error {
		known[i.SHA256] = true
		err := blobs.There(ctx, r.Files, i.SHA256)
		if errs.Is(err, errs.NotFound) {
			r.add("missing", i.ID.String(), i.Filename, false)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	list, ok := r.Files.(blobs.Lister)
	if !ok {
		return nil
	}
	var orphans []string
	err = list.List(ctx, func(sha string, written time.Time) error {
		if !known[sha] && time.Since(written) > orphanAge {
			orphans = append(orphans, sha)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, sha := range orphans {
		if err := r.dropOrphan(ctx, sha); err != nil {
			return err
		}
	}
	tidier, ok := r.Files.(blobs.Tidier)
	if !ok {
		return nil
	}
	abandoned, err := tidier.Abandoned(ctx, r.mend)
	if err == nil && abandoned > 0 {
		r.add("abandoned", "s3", fmt.Sprintf("envois : %d", abandoned), r.mend)
	}
	return err
}

// dropOrphan deletes a file without a row, unless a row was added meanwhile.
func (r *reconciling) dropOrphan(ctx context.Context, sha string) error {
	dropped, err := r.DB.DropBytes(ctx, sha, func(ctx context.Context) error {
		if !r.mend {
			return nil
		}
		return r.Files.Delete(ctx, sha)
	})
	if err != nil || !dropped {
		return err
	}
	r.add("orphan", sha, "", r.mend)
	return nil
}

// titles compares the title index with the catalogue, if there is an index and it is up to
// date.
func (r *reconciling) titles(ctx context.Context) error {
	if r.MeiliURL == "" {
		return nil
	}
	index, err := meili.Open(r.MeiliURL, r.MeiliKey)
	if err != nil {
		return err
	}
	defer index.Close()
	row, err := r.DB.TitleIndex().Now(ctx)
	if err != nil {
		return err
	}
	version, err := r.DB.CatalogueVersion(ctx)
	if err != nil || row.Rebuild || row.Version < version {
		return err // the index is being updated
	}
	ids, err := r.DB.CatalogueIDs(ctx)
	if err != nil {
		return err
	}
	extra := 0
	err = index.IDs(ctx, func(id uuid.UUID) error {
		if !ids[id] {
			extra++
		}
		delete(ids, id)
		return nil
	})
	if err != nil && !errs.Is(err, errs.NotFound) {
		return err
	}
	if extra+len(ids) == 0 {
		return nil
	}
	if r.mend {
		if err := r.DB.TitleIndex().Remake(ctx); err != nil {
			return err
		}
	}
	r.add("titles", "meilisearch", fmt.Sprintf("titres en trop : %d, manquants : %d", extra, len(ids)), r.mend)
	return nil
}

// comparePatience is the timeout for a reply of Milvus during the comparison.
const comparePatience = time.Minute

// passages compares the passage index in Milvus with the catalogue, if there is an index
// and it is up to date.
func (r *reconciling) passages(ctx context.Context) (err error) {
	if r.MilvusURL == "" {
		return nil
	}
	row, err := r.DB.PassageIndex().Now(ctx)
	if err != nil {
		return err
	}
	version, err := r.DB.CatalogueVersion(ctx)
	if err != nil || row.Rebuild || row.Version < version {
		return err // the index is being updated
	}
	passages := 0
	if err := r.DB.CatalogueTexts(ctx, nil, func(d law.Document) error { passages += d.Passages; return nil }); err != nil {
		return err
	}
	store := &milvus.Store{Address: r.MilvusURL, Key: r.MilvusKey, Patience: comparePatience}
	defer store.Close() // nothing waits to be written
	indexed, err := store.Passages(ctx)
	if err != nil && !milvus.Lost(err) {
		return err
	}
	if err == nil && indexed == passages {
		return nil
	}
	if r.mend {
		if err := r.DB.PassageIndex().Remake(ctx); err != nil {
			return err
		}
	}
	r.add("index", "milvus", fmt.Sprintf("passages : %d au lieu de %d", indexed, passages), r.mend)
	return nil
}
