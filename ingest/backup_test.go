package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// elsewhere returns a desk with an empty database and without files.
func elsewhere(t *testing.T, d *desk) *desk {
	t.Helper()
	other := newDesk(t)
	other.environ["VIGUEUR_DATABASE_URL"] = pgtest.NewEmptyURL(t)
	other.environ["VIGUEUR_REDIS_URL"] = d.environ["VIGUEUR_REDIS_URL"]
	return other
}

// shelfAt returns a folder for backups and its address.
func shelfAt(t *testing.T) (folder, address string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "sauvegardes")
	return folder, "file://" + folder
}

// TestBackupUnderLoadAndRestore makes a backup while files are added, and restores it on an
// empty machine: every file that has a row has its bytes, and the texts are the same.
func TestBackupUnderLoadAndRestore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit")), d.file(t, "b.pdf", pdf("réussit b"))).want(t, exitDone)
	_, shelf := shelfAt(t)
	var more []string
	for i := range 20 {
		more = append(more, d.file(t, fmt.Sprintf("plus-%d.pdf", i), pdf(fmt.Sprint("réussit encore ", i))))
	}
	added := make(chan result)
	go func() { added <- d.runWith(t.Context(), "", nil, append([]string{"add"}, more...)...) }()
	d.run(t, "backup", shelf).want(t, exitDone, "Sauvegarde ", "relus")
	if r := <-added; r.code != exitDone {
		t.Fatalf("add: %+v", r)
	}
	d.run(t, "backup", shelf, "--verify-all").want(t, exitDone, "22 fichiers")
	path := strings.TrimPrefix(shelf, "file://")
	d.run(t, "backup", path).want(t, exitDone, "22 fichiers (0 de plus)")
	listed := d.run(t, "backup", "list", path)
	listed.want(t, exitDone, "non")
	if lines := strings.Count(listed.out, "\n"); lines != 4 {
		t.Errorf("%d lines, want a head and three backups:\n%s", lines, listed.out)
	}

	for _, backup := range []string{strings.Fields(strings.Split(listed.out, "\n")[1])[0], ""} {
		empty := elsewhere(t, d)
		args := []string{"restore", shelf}
		if backup != "" {
			args = append(args, "--backup", backup)
		}
		empty.run(t, args...).want(t, exitDone, "Restaurée : ")
		empty.run(t, "migrate", "up").want(t, exitDone)
		empty.run(t, "reconcile").want(t, exitDone, "Tout concorde.")
		files := 0
		err := empty.db(t).Files(t.Context(), func(i postgres.Ingestion) error {
			files++
			restored, err := os.ReadFile(empty.blob(i.SHA256))
			if err != nil {
				return err
			}
			original, err := os.ReadFile(d.blob(i.SHA256))
			if err == nil && !bytes.Equal(restored, original) {
				t.Errorf("%s came back otherwise", i.Filename)
			}
			return err
		})
		if err != nil || files < 2 || backup == "" && files != 22 {
			t.Errorf("backup %q: %d files, %v", backup, files, err)
		}
		if backup == "" {
			if got, want := empty.run(t, "documents", "--json").out, d.run(t, "documents", "--json").out; got != want {
				t.Errorf("the catalogue is another:\n%s\nwant\n%s", got, want)
			}
		}
		empty.run(t, "restore", shelf).want(t, exitFailed, "n’est pas vide")
	}
}

func TestBackupEncrypted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	folder, shelf := shelfAt(t)
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, "backup", shelf, "--recipient", "age1nonsense").want(t, exitUsage, "n’est pas un destinataire")
	d.run(t, "backup", shelf, "--recipient", key.Recipient().String()).want(t, exitDone, "(1 de plus)")
	d.run(t, "backup", shelf, "--recipient", key.Recipient().String()).want(t, exitDone, "(0 de plus)")
	// For another recipient, the file is encrypted again.
	d.run(t, "backup", shelf, "--recipient", other.Recipient().String()).want(t, exitDone, "(1 de plus)")
	first := strings.Fields(strings.Split(d.run(t, "backup", "list", shelf).out, "\n")[1])[0]

	sealed := 0
	err = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Base(filepath.Dir(path)) == "notes" {
			return err
		}
		content, err := os.ReadFile(path)
		if !strings.HasPrefix(string(content), "age-encryption.org/v1") {
			t.Errorf("%s is not encrypted", path)
		}
		sealed++
		return err
	})
	if err != nil || sealed == 0 {
		t.Fatalf("%d files, %v", sealed, err)
	}

	empty := elsewhere(t, d)
	good := empty.file(t, "key.txt", "# created: today\n"+key.String()+"\n")
	bad := empty.file(t, "other.txt", other.String()+"\n")
	empty.run(t, "restore", shelf, "--backup", first).want(t, exitUsage, "chiffrée", "--identity")
	empty.run(t, "restore", shelf, "--backup", first, "--identity", bad).want(t, exitUsage, "Aucune des clés")
	empty.run(t, "restore", shelf, "--backup", first, "--identity", empty.file(t, "none.txt", "rien")).want(t, exitUsage, "AGE-SECRET-KEY-1")
	empty.run(t, "backup", "check", shelf, "--backup", first).want(t, exitDone, "son contenu n’a pas été lu (--identity)")
	empty.run(t, "backup", "check", shelf, "--backup", first, "--identity", bad).want(t, exitUsage, "Aucune des clés")
	empty.run(t, "backup", "check", shelf, "--backup", first, "--identity", good).want(t, exitDone, "Elle peut être restaurée.")
	empty.run(t, "restore", shelf, "--backup", first, "--identity", good).want(t, exitDone, "Restaurée")
	empty.run(t, "migrate", "up").want(t, exitDone)
	empty.run(t, "reconcile").want(t, exitDone, "Tout concorde.")
}

// Whoever can write beside the backups must not have code restored.
func TestForeignBackupsAreNotRestored(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	folder, shelf := shelfAt(t)
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	identity := d.file(t, "key.txt", key.String()+"\n")
	d.environ["VIGUEUR_BACKUP_SEAL"] = "court"
	d.run(t, "backup", shelf).want(t, exitUsage, "VIGUEUR_BACKUP_SEAL : 32 octets au moins")
	d.environ["VIGUEUR_BACKUP_SEAL"] = strings.Repeat("s", 32)
	d.run(t, "backup", shelf, "--recipient", key.Recipient().String()).want(t, exitDone)
	own := strings.Fields(strings.Split(d.run(t, "backup", "list", shelf).out, "\n")[1])[0]
	d.run(t, "backup", "check", shelf, "--identity", identity).want(t, exitDone, "peut être restaurée")

	foreign := newDesk(t) // knows the address and the public key
	foreign.ingests(t)
	foreign.environ["VIGUEUR_BACKUP_SEAL"] = strings.Repeat("x", 32)
	foreign.run(t, "backup", shelf).want(t, exitDone)
	restored := func(seal, want string, args ...string) {
		t.Helper()
		empty := elsewhere(t, d)
		empty.environ["VIGUEUR_BACKUP_SEAL"] = seal
		code := exitFailed
		if want == "Restaurée" {
			code = exitDone
		}
		empty.run(t, append([]string{"restore", shelf}, args...)...).want(t, code, want)
	}
	restored("", "n’est pas chiffrée", "--identity", identity)
	restored(strings.Repeat("s", 32), "n’est pas chiffrée", "--identity", identity)
	restored(strings.Repeat("s", 32), "n’a pas le sceau")
	d.run(t, "backup", "check", shelf).want(t, exitFailed, "n’a pas le sceau")
	foreign.run(t, "backup", shelf, "--recipient", key.Recipient().String()).want(t, exitDone)
	restored(strings.Repeat("s", 32), "n’a pas le sceau", "--identity", identity)
	restored(strings.Repeat("s", 32), "Restaurée", "--identity", identity, "--backup", own)

	note := filepath.Join(folder, "notes", "sauvegarde-"+own+".json")
	manifest, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(note, bytes.Replace(manifest, []byte(`"texts": 1`), []byte(`"texts": 2`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	restored(strings.Repeat("s", 32), "n’a pas le sceau", "--identity", identity, "--backup", own)
}

func TestBackupThatIsNotWhole(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "add", d.file(t, "a.pdf", pdf("réussit"))).want(t, exitDone)
	folder, shelf := shelfAt(t)
	empty := elsewhere(t, d)
	empty.run(t, "restore", shelf).want(t, exitFailed, "pas de sauvegarde")
	d.run(t, "backup", "list", shelf).want(t, exitDone, "Aucune sauvegarde")
	d.run(t, "backup", shelf).want(t, exitDone)
	empty.run(t, "restore", shelf, "--backup", "hier").want(t, exitFailed, "« hier »")

	rows, _, err := d.db(t).IngestionPage(t.Context(), postgres.FileQuery{}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	sha := rows[0].SHA256
	kept := filepath.Join(folder, sha[:2], sha[2:4], sha)
	whole, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	d.run(t, "backup", "check", shelf).want(t, exitDone, "2 objets", "Elle peut être restaurée.")
	if err := os.WriteFile(kept, whole[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	d.run(t, "backup", "check", folder).want(t, exitFailed, "abîmée : "+sha, "ne peut pas être restaurée entière : 1 faute.")
	d.run(t, "backup", shelf, "--verify-all").want(t, exitFailed, "abîmée")
	empty.run(t, "restore", shelf).want(t, exitFailed, "a changé")
	if err := os.Remove(kept); err != nil {
		t.Fatal(err)
	}
	empty.run(t, "restore", shelf).want(t, exitFailed, "n’est plus entière")
	d.run(t, "backup", "check", shelf, "--json").want(t, exitFailed, `"opened": true`, "n’est plus entière : "+sha)
	// The next backup stores the lost file again, and the interrupted restore continues.
	d.run(t, "backup", shelf).want(t, exitDone, "(1 de plus)")
	empty.run(t, "restore", shelf).want(t, exitDone, "Restaurée")

	if err := os.Remove(d.blob(sha)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(kept); err != nil {
		t.Fatal(err)
	}
	d.run(t, "backup", shelf).want(t, exitFailed, "n’est plus")
}

// Backups in a bucket are opened with their own key, or with the key of the files if there
// is none.
func TestBackupsHaveAKeyOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	// An invalid key is rejected before any request is sent.
	const address, refused = "s3://sauvegardes?endpoint=http://127.0.0.1:1&region=x", "attendu identifiant:secret"
	for name, c := range map[string]struct {
		files, backups string
		refused        bool
	}{
		"its own":            {"id:secret", "ni clé ni secret", true},
		"its own before":     {"ni clé ni secret", "id:secret", false},
		"by default files’":  {"ni clé ni secret", "", true},
		"the files’ is good": {"id:secret", "", false},
	} {
		d.environ["VIGUEUR_BLOBS_KEY"], d.environ["VIGUEUR_BACKUP_KEY"] = c.files, c.backups
		if r := d.run(t, "backup", "list", address); r.code == exitDone || strings.Contains(r.err, refused) != c.refused {
			t.Errorf("%s: exit %d, %s", name, r.code, r.err)
		}
	}
}
