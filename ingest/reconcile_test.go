package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/meili"
	"vigueur/internal/store/meili/meilitest"
	"vigueur/internal/store/postgres"
)

// blob returns the path at which the desk stores the bytes of a hash.
func (d *desk) blob(sha string) string {
	return filepath.Join(strings.TrimPrefix(d.environ["VIGUEUR_BLOBS_URL"], "file://"), sha[:2], sha[2:4], sha)
}

// sql runs a statement that none of the programs would run.
func (d *desk) sql(t *testing.T, statement string) {
	t.Helper()
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed: scripts/setup installs it")
	}
	if out, err := exec.CommandContext(t.Context(), psql, "-v", "ON_ERROR_STOP=1", "-c", statement, d.environ["VIGUEUR_DATABASE_URL"]).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.")
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit")), d.file(t, "b.pdf", pdf("réussit b"))).want(t, exitDone)
	id := d.waiting(t, "c.pdf")
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.")

	orphan := strings.Repeat("ab", 32)
	for sha, age := range map[string]time.Duration{orphan: 2 * time.Hour, strings.Repeat("cd", 32): 0} {
		t.Run(sha, func(t *testing.T) {
			path := d.blob(sha)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Now(), time.Now().Add(-age)); err != nil {
				t.Fatal(err)
			}
		})
	}
	d.sql(t, `UPDATE documents SET passages_count = 99 WHERE NOT in_review; UPDATE ingestions SET pages_done = 7 WHERE filename = 'a.pdf';
		UPDATE documents SET statut = 'abroge' WHERE NOT in_review; UPDATE ingestions SET state = 'done' WHERE filename = 'c.pdf'`)
	dry := d.run(t, "reconcile", "--dry-run")
	dry.want(t, exitFailed, "nombre de passages faux", "nombre de pages lues faux", "statut qui ne suit pas", "texte à relire dans un fichier terminé", "fichier sans ligne", orphan)
	if strings.Contains(dry.out, "oui") || strings.Contains(dry.out, "cdcdcd") {
		t.Errorf("a dry run mends, or takes what has just come for nobody's:\n%s", dry.out)
	}
	d.run(t, "reconcile").want(t, exitDone, "oui")
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.")
	if _, err := os.Stat(d.blob(orphan)); !os.IsNotExist(err) {
		t.Errorf("the orphan is still there: %v", err)
	}
	d.run(t, "review", "accept", id, "--set", "date_promulgation=2023-03-12").want(t, exitDone)
	d.run(t, "documents", "--statut", "abroge").want(t, exitDone, "Aucun texte.")

	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(d.blob(rows[0].SHA256)); err != nil {
		t.Fatal(err)
	}
	d.run(t, "reconcile").want(t, exitFailed, "octets du fichier absents", rows[0].Filename, "non")
}

func TestReindexAndTitlesThatDisagree(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	previous, err := d.db(t).CatalogueVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, "reindex").want(t, exitDone, "Passages : 1 texte", "PostgreSQL les cherche")
	if cursor, err := d.db(t).CatalogueVersion(t.Context()); err != nil || cursor <= previous {
		t.Errorf("version %d after %d, %v", cursor, previous, err)
	}
	d.run(t, "reindex", "--titles", "--passages").want(t, exitUsage, "--titles ou --passages")
	s := meilitest.New(t)
	d.environ["VIGUEUR_MEILI_URL"], d.environ["VIGUEUR_MEILI_KEY"] = s.URL, s.Key
	d.run(t, "reindex", "--titles").want(t, exitDone, "sera refait par un worker")
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.") // the index is due and will be made
	x, err := meili.Open(s.URL, s.Key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	if err := x.Rebuild(t.Context(), func(func([]meili.Title) error) error { return nil }); err != nil {
		t.Fatal(err)
	}
	d.sql(t, `UPDATE followers SET rebuild = false, version = (SELECT max(version) FROM catalogue_changes) WHERE name = 'titles'`)
	d.run(t, "reconcile", "--dry-run").want(t, exitFailed, "index des titres en désaccord", "manquants : 1")
	d.run(t, "reconcile").want(t, exitDone, "oui")
	if row, err := d.db(t).TitleIndex().Now(t.Context()); err != nil || !row.Rebuild {
		t.Errorf("row %+v, %v", row, err)
	}
}
