package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"vigueur/internal/store/postgres"
)

// TestBackupPrune prunes the backups of a service, with and without encryption, and
// restores the remaining one.
func TestBackupPrune(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	sha := rows[0].SHA256
	folder, shelf := shelfAt(t)
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	const open = "la sauvegarde n’est pas chiffrée"
	sealed := d.run(t, "backup", shelf, "--recipient", key.Recipient().String())
	sealed.want(t, exitDone)
	if strings.Contains(sealed.err, open) {
		t.Errorf("an encrypted backup: %s", sealed.err)
	}
	d.run(t, "backup", shelf).want(t, exitDone, "(1 de plus)", open)
	// Dumps of the same data within one second are the same object.
	user := postgres.User{ID: postgres.NewID(), Email: "a@exemple.org", FullName: "A", Role: "user", Active: true, PasswordHash: "x"}
	if err := d.db(t).CreateUser(t.Context(), user); err != nil {
		t.Fatal(err)
	}
	d.run(t, "backup", shelf).want(t, exitDone, "(0 de plus)")
	before := time.Now().Add(-48 * time.Hour)
	err = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.Chtimes(path, before, before)
	})
	if err != nil {
		t.Fatal(err)
	}

	d.run(t, "backup", "prune", shelf).want(t, exitUsage, "--keep-last")
	d.run(t, "backup", "prune", shelf, "--keep-last", "-1").want(t, exitUsage, "--keep-last va de 0 à")
	d.run(t, "backup", "prune", shelf, "--keep-daily", "un").want(t, exitUsage, "ne peut pas valoir")
	d.run(t, "backup", "prune").want(t, exitUsage, "l’adresse des sauvegardes")
	d.run(t, "backup", "prune", "file://"+t.TempDir(), "--keep-last", "1").want(t, exitFailed, "pas de sauvegarde")
	for _, command := range [][]string{{"backup"}, {"backup", "prune", "--keep-last", "1"}} {
		d.run(t, append(command, d.environ["VIGUEUR_BLOBS_URL"]+"/")...).want(t, exitUsage, "un autre préfixe")
	}

	// Two dumps and the encrypted file.
	dry := d.run(t, "backup", "prune", shelf, "--keep-daily", "7", "--keep-last", "1", "--dry-run")
	dry.want(t, exitDone, "oui : dernières, jours", "Seraient retirées : 2 sauvegardes, 3 objets.")
	if lines := strings.Count(d.run(t, "backup", "list", shelf).out, "\n"); lines != 4 {
		t.Errorf("a dry run leaves %d lines", lines)
	}
	var shown pruned
	done := d.run(t, "backup", "prune", shelf, "--keep-last", "1", "--json")
	if err := json.Unmarshal([]byte(done.out), &shown); err != nil || done.code != exitDone {
		t.Fatalf("%+v, %v", done, err)
	}
	if len(shown.Kept) != 1 || len(shown.Removed) != 2 || shown.Objects != 3 || shown.DryRun || shown.Kept[0].Missing != nil {
		t.Errorf("%s", done.out)
	}
	d.run(t, "backup", "prune", shelf, "--keep-last", "1").want(t, exitDone, "Retirées : 0 sauvegarde, 0 objet.")

	empty := elsewhere(t, d)
	empty.run(t, "restore", shelf).want(t, exitDone, "Restaurée")
	if restored, err := os.ReadFile(empty.blob(sha)); err != nil || string(restored) != pdf("réussit") {
		t.Errorf("the file came back as %q, %v", restored, err)
	}

	if err := os.Remove(filepath.Join(folder, sha[:2], sha[2:4], sha)); err != nil {
		t.Fatal(err)
	}
	d.run(t, "backup", "prune", shelf, "--keep-last", "1").want(t, exitFailed, "n’est entière", sha)
}
