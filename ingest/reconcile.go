package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
)

// orphanAge is the age from which a file without a row is an orphan. A younger file may get
// its row soon, because bytes are stored first.
const orphanAge = time.Hour

// reconcile runs « reconcile ».
func (a *app) reconcile(ctx context.Context, in *input) error {
	return a.withDB(ctx, func(db *postgres.DB) error { return a.reconcileAll(ctx, db, in.has("dry-run")) })
}

// finding is an inconsistency.
type finding struct {
	What   string `json:"what"`
	Object string `json:"object"`
	Name   string `json:"name"`
	Mended bool   `json:"mended"`
}

// kindNames are the French names of inconsistencies.
var kindNames = [][2]string{
	{"review", "fichier en revue sans texte à relire"}, {"waiting", "texte à relire dans un fichier terminé"},
	{"passages", "nombre de passages faux"}, {"pages", "nombre de pages lues faux"}, {"status", "statut qui ne suit pas des relations"},
	{"missing", "octets du fichier absents"}, {"orphan", "fichier sans ligne"}, {"abandoned", "envois de fichiers interrompus"}, {"titles", "index des titres en désaccord avec le catalogue"},
	{"index", "index des passages en désaccord avec le catalogue"},
}

func kindName(kind string) string {
	for _, k := range kindNames {
		if k[0] == kind {
			return k[1]
		}
	}
	return kind
}

// reconciling is one run of the command.
type reconciling struct {
	*app
	db       *postgres.DB
	mend     bool
	findings []finding
}

func (a *app) reconcileAll(ctx context.Context, db *postgres.DB, dryRun bool) error {
	r := &reconciling{app: a, db: db, mend: !dryRun}
	settings, err := a.settings()
	if err != nil {
		return err
	}
	store, err := openFiles(settings)
	if err != nil {
		return err
	}
	for _, look := range []func() error{
		func() error { return r.rows(ctx) },
		func() error { return r.files(ctx, store) },
		func() error { return r.titles(ctx, settings.MeiliURL, settings.MeiliKey) },
		func() error { return r.passages(ctx, settings.MilvusURL, settings.MilvusKey) },
	} {
		if err := look(); err != nil {
			return err
		}
	}
	return r.printFindings()
}

func (r *reconciling) add(what, object, name string, mended bool) {
	r.findings = append(r.findings, finding{what, object, name, mended})
}

// rows checks whether the rows are consistent with each other.
func (r *reconciling) rows(ctx context.Context) error {
	for _, kind := range postgres.InconsistencyKinds() {
		found, err := r.db.Inconsistencies(ctx, kind, r.mend)
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
func (r *reconciling) files(ctx context.Context, store blobs.Store) error {
	known := map[string]bool{}
	err := r.db.Files(ctx, func(i postgres.Ingestion) error {
		known[i.SHA256] = true
		err := blobs.There(ctx, store, i.SHA256)
		if errs.Is(err, errs.NotFound) {
			r.add("missing", i.ID.String(), i.Filename, false)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	list, ok := store.(blobs.Lister)
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
		if err := r.dropOrphan(ctx, store, sha); err != nil {
			return err
		}
	}
	tidier, ok := store.(blobs.Tidier)
	if !ok {
		return nil
	}
	abandoned, err := tidier.Abandoned(ctx, r.mend)
	if err == nil && abandoned > 0 {
		r.add("abandoned", "s3", count(abandoned, "envoi"), r.mend)
	}
	return err
}

// dropOrphan deletes a file without a row, unless a row was added meanwhile.
func (r *reconciling) dropOrphan(ctx context.Context, store blobs.Store, sha string) error {
	dropped, err := r.db.DropBytes(ctx, sha, func(ctx context.Context) error {
		if !r.mend {
			return nil
		}
		return store.Delete(ctx, sha)
	})
	if err != nil || !dropped {
		return err
	}
	r.add("orphan", sha, "", r.mend)
	return nil
}

// titles compares the title index with the catalogue, if there is an index and it is up to
// date.
func (r *reconciling) titles(ctx context.Context, address, key string) error {
	if address == "" {
		return nil
	}
	index, err := meili.Open(address, key)
	if err != nil {
		return err
	}
	defer index.Close()
	row, err := r.db.TitleIndex().Now(ctx)
	if err != nil {
		return err
	}
	version, err := r.db.CatalogueVersion(ctx)
	if err != nil || row.Rebuild || row.Version < version {
		return err // the index is being updated
	}
	ids, err := r.db.CatalogueIDs(ctx)
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
		if err := r.db.TitleIndex().Remake(ctx); err != nil {
			return err
		}
	}
	r.add("titles", "meilisearch", fmt.Sprintf("%s en trop, %d manquants", count(extra, "titre"), len(ids)), r.mend)
	return nil
}

// printFindings prints the findings.
func (r *reconciling) printFindings() error {
	left := 0
	t := terminal.Table{Head: []string{"CONSTAT", "OBJET", "NOM", "RÉPARÉ"}}
	for _, f := range r.findings {
		mended := "oui"
		if !f.Mended {
			left++
			mended = "non"
		}
		t.Add(kindName(f.What), f.Object, f.Name, mended)
	}
	var err error
	switch {
	case r.json:
		err = writeList(r.out, r.findings, len(r.findings))
	case len(r.findings) > 0:
		err = t.Write(r.out, "")
	default:
		_, err = fmt.Fprintln(r.outcome(), "Tout concorde.")
	}
	if err == nil && left > 0 {
		return quiet{exitFailed}
	}
	return err
}
