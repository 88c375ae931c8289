package backup_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
)

func shelfOf(t *testing.T) (shelf blobs.Shelf, folder string) {
	t.Helper()
	folder = t.TempDir()
	shelf, err := blobs.OpenShelf("file://"+folder, "")
	ok(t, err)
	return shelf, folder
}

// stored puts content on a shelf, encrypted for the recipients.
func stored(t *testing.T, shelf blobs.Shelf, content string, recipients ...age.Recipient) backup.Object {
	t.Helper()
	kept := []byte(content)
	if len(recipients) > 0 {
		var b bytes.Buffer
		w, err := age.Encrypt(&b, recipients...)
		ok(t, err)
		_, err = w.Write(kept)
		ok(t, err)
		ok(t, w.Close())
		kept = b.Bytes()
	}
	o := backup.Object{SHA256: hashed([]byte(content)), Size: int64(len(content)), Stored: hashed(kept)}
	ok(t, shelf.Put(t.Context(), o.Stored, bytes.NewReader(kept)))
	return o
}

func hashed(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func noted(t *testing.T, shelf blobs.Shelf, name string, content any) {
	t.Helper()
	text, is := content.(string)
	if !is {
		b, err := json.Marshal(content)
		ok(t, err)
		text = string(b)
	}
	ok(t, shelf.PutNote(t.Context(), name, []byte(text)))
}

// The list is sorted by age, whatever the names are, and contains only backups.
func TestListIsOldestFirst(t *testing.T) {
	t.Parallel()
	shelf, _ := shelfOf(t)
	begun := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	for id, age := range map[string]int{"b": 0, "a": 2, "c": 1} {
		noted(t, shelf, "sauvegarde-"+id+".json", backup.Manifest{Format: 1, ID: id, Begun: begun.AddDate(0, 0, -age)})
	}
	noted(t, shelf, "autre.json", "rien")
	all, err := backup.List(t.Context(), shelf)
	ok(t, err)
	ids := ""
	for _, m := range all {
		ids += m.ID
	}
	if ids != "acb" {
		t.Errorf("the list is %q", ids)
	}
	for id, want := range map[string]string{"": "b", "a": "a", "c": "c"} {
		if m, err := backup.Choose(all, id); err != nil || m.ID != want {
			t.Errorf("%q is %q, %v", id, m.ID, err)
		}
	}
	if _, err := backup.Choose(all, "zz"); !errs.Is(err, errs.NotFound) || !strings.Contains(errs.Public(err), "zz") {
		t.Errorf("one that there is not: %v", err)
	}
	if _, err := backup.Choose(nil, ""); !errs.Is(err, errs.NotFound) {
		t.Errorf("of none: %v", err)
	}
}

// An unreadable manifest is an error. If the list left it out, an older backup could be
// taken for the newest.
func TestListsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]any{
		"cut off":        `{"format":1,"id":"a"`,
		"empty":          "",
		"no list":        "[]",
		"without a name": backup.Manifest{Format: 1},
		"of a newer one": backup.Manifest{Format: 2, ID: "a"},
		"of no format":   backup.Manifest{ID: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shelf, _ := shelfOf(t)
			noted(t, shelf, "sauvegarde-a.json", content)
			if all, err := backup.List(t.Context(), shelf); !errs.Is(err, errs.Unprocessable) || len(all) > 0 {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
}

func TestRecipientsThatAreNone(t *testing.T) {
	t.Parallel()
	secret, err := age.GenerateX25519Identity()
	ok(t, err)
	for name, recipient := range map[string]string{
		"nothing": "", "a word": "bonjour", "cut off": secret.Recipient().String()[:20],
		"the secret key": secret.String(), "the secret key in small letters": strings.ToLower(secret.String()), "its file": "# created\n" + secret.String(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shelf, folder := shelfOf(t)
			_, err := (&backup.Backup{Shelf: shelf, Recipients: []string{secret.Recipient().String(), recipient}}).Run(t.Context())
			if !errs.Is(err, errs.Invalid) {
				t.Fatalf("%v", err)
			}
			if told := strings.ToUpper(err.Error() + errs.Public(err)); strings.Contains(told, secret.String()[:30]) {
				t.Errorf("the secret key is told: %v", err)
			}
			if left, err := filepath.Glob(folder + "/*/*"); err != nil || len(left) > 0 {
				t.Errorf("something was stored: %v, %v", left, err)
			}
		})
	}
}

// A restore that cannot succeed fails before it changes any of the service's files. It says
// what is missing, and leaves no temporary file.
func TestRestorationsThatCannotBe(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	mine, err := age.GenerateX25519Identity()
	ok(t, err)
	other, err := age.GenerateX25519Identity()
	ok(t, err)
	secret := []string{mine.Recipient().String()}
	for name, c := range map[string]struct {
		made func(shelf blobs.Shelf, folder string) backup.Manifest
		with []age.Identity
		want errs.Kind
		says string
	}{
		"of a newer schema": {func(shelf blobs.Shelf, _ string) backup.Manifest {
			return backup.Manifest{Schema: 8, Database: stored(t, shelf, "dump")}
		}, nil, errs.Conflict, "étape 8"},
		"encrypted, no key given": {func(shelf blobs.Shelf, _ string) backup.Manifest {
			return backup.Manifest{Recipients: secret, Database: stored(t, shelf, "dump", mine.Recipient())}
		}, nil, errs.Invalid, "--identity"},
		"encrypted for another": {func(shelf blobs.Shelf, _ string) backup.Manifest {
			return backup.Manifest{Recipients: secret, Database: stored(t, shelf, "dump", mine.Recipient())}
		}, []age.Identity{other}, errs.Invalid, "Aucune des clés"},
		"said to be encrypted and is not": {func(shelf blobs.Shelf, _ string) backup.Manifest {
			return backup.Manifest{Recipients: secret, Database: stored(t, shelf, "dump")}
		}, []age.Identity{mine}, errs.Conflict, "ne se déchiffre pas"},
		"its dump is gone": {func(blobs.Shelf, string) backup.Manifest {
			return backup.Manifest{Database: backup.Object{Stored: hashed([]byte("x")), SHA256: hashed([]byte("x"))}}
		}, nil, errs.NotFound, "n’est plus entière"},
		"its dump is damaged": {func(shelf blobs.Shelf, folder string) backup.Manifest {
			o := stored(t, shelf, "dump")
			overwrite(t, folder, o.Stored, "dumq")
			return backup.Manifest{Database: o}
		}, nil, errs.Conflict, "abîmée"},
		"a file is gone": {func(shelf blobs.Shelf, _ string) backup.Manifest {
			return backup.Manifest{Database: stored(t, shelf, "dump"), Files: []backup.Object{{SHA256: hashed([]byte("y")), Stored: hashed([]byte("y"))}}}
		}, nil, errs.NotFound, hashed([]byte("y"))},
	} {
		t.Run(name, func(t *testing.T) {
			shelf, folder := shelfOf(t)
			into := t.TempDir()
			files, err := blobs.NewFolder(into)
			ok(t, err)
			m := c.made(shelf, folder)
			// The first file is intact: it must not be restored if the dump cannot be.
			sound := stored(t, shelf, "fichier")
			if c.want != errs.NotFound || len(m.Files) == 0 {
				m.Files = append([]backup.Object{sound}, m.Files...)
			}
			err = (&backup.Restoration{DatabaseURL: "postgres://127.0.0.1:1/aucune", Files: files, Shelf: shelf, Newest: 7, Identities: c.with}).Run(t.Context(), m)
			if !errs.Is(err, c.want) || !strings.Contains(errs.Public(err), c.says) {
				t.Errorf("%v (%s), want %v with « %s »", err, errs.Public(err), c.want, c.says)
			}
			if err := blobs.There(t.Context(), files, sound.SHA256); !errs.Is(err, errs.NotFound) {
				t.Errorf("a file was restored: %v", err)
			}
			if left, err := filepath.Glob(temporary + "/vigueur-*"); err != nil || len(left) > 0 {
				t.Errorf("left in the temporary folder: %v, %v", left, err)
			}
		})
	}
}

// overwrite damages an object on a shelf.
func overwrite(t *testing.T, folder, name, content string) {
	t.Helper()
	found := false
	ok(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(path, name) {
			found = true
			err = os.WriteFile(path, []byte(content), 0o600)
		}
		return err
	}))
	if !found {
		t.Fatalf("%s is not on the shelf", name)
	}
}
