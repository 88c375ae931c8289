package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/store/postgres"
)

func TestFilesCopy(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit")), d.file(t, "b.pdf", pdf("réussit b"))).want(t, exitDone)
	target := filepath.Join(t.TempDir(), "ailleurs")
	address := "file://" + target

	d.run(t, "files", "copy").want(t, exitUsage, "--from ou --to")
	d.run(t, "files", "copy", "--to", "ftp://exemple.org").want(t, exitUsage, "pris en charge")
	d.run(t, "files", "copy", "--to", address).want(t, exitDone, "Copiés : 2. Déjà là : 0. En échec : 0.")
	d.run(t, "files", "copy", "--to", address).want(t, exitDone, "Copiés : 0. Déjà là : 2.")

	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 10)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		original, err := os.ReadFile(d.blob(row.SHA256))
		if err != nil {
			t.Fatal(err)
		}
		copied, err := os.ReadFile(filepath.Join(target, row.SHA256[:2], row.SHA256[2:4], row.SHA256))
		if err != nil || !bytes.Equal(copied, original) {
			t.Errorf("%s: %d bytes of %d arrived, %v", row.Filename, len(copied), len(original), err)
		}
	}

	// One file cannot be copied because it is missing, another because it is damaged: both are
	// reported, and all others are copied.
	lost, damaged := rows[0], rows[1]
	if err := os.Remove(d.blob(lost.SHA256)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.blob(damaged.SHA256), []byte("%PDF-"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := "file://" + filepath.Join(t.TempDir(), "encore")
	got := d.run(t, "files", "copy", "--to", other)
	got.want(t, exitFailed, "Copiés : 0.", "En échec : 2.")
	for _, name := range []string{lost.Filename, damaged.Filename, "n’est plus", "a changé"} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(got.err, name) {
				t.Errorf("« %s » is not said: %s", name, got.err)
			}
		})
	}
	d.run(t, "reconcile", "--dry-run").want(t, exitFailed, "octets du fichier absents")
	// Both files are restored from the store in which they are intact.
	if err := os.Remove(d.blob(damaged.SHA256)); err != nil {
		t.Fatal(err)
	}
	d.run(t, "files", "copy", "--from", address, "--json").want(t, exitDone, `"copied": 2`, `"failed": []`)
	d.run(t, "reconcile").want(t, exitDone, "Tout concorde.")
}
