package backup_test

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
)

// FuzzList: a damaged note of a backup is an error for the operator, and never read as another backup.
func FuzzList(f *testing.F) {
	for _, seed := range []string{`{"format":1,"id":"x"}`, `{"format":9999,"id":"x"}`, `{}`, `[]`, `null`, `{"id":1}`, "\xff", `{"format":1,"id":"x","files":null,"begun":"2026-01-02T03:04:05Z"}`} {
		f.Add(seed)
	}
	dir := f.TempDir()
	shelf, err := blobs.OpenShelf("file://"+dir, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, note string) {
		if err := shelf.PutNote(t.Context(), "sauvegarde-x.json", []byte(note)); err != nil {
			t.Fatal(err)
		}
		list, err := backup.List(t.Context(), shelf)
		switch {
		case err != nil && !errs.Is(err, errs.Unprocessable):
			t.Errorf("%q: %v", note, err)
		case err == nil && (len(list) != 1 || list[0].ID == "" || !strings.Contains(note, "id")):
			t.Errorf("%q is read as %+v", note, list)
		}
	})
}
