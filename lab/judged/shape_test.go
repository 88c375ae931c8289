package judged

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was kept of a struct is read again by the same fields alone: a renamed, a new and a
// retyped field, deep inside too, are refused, where gob reads on without a word.
func TestOtherShapesAreRefused(t *testing.T) {
	t.Parallel()
	type row struct{ NewWording bool }
	type kept struct {
		Rows []row
		At   map[string]*row
	}
	var b bytes.Buffer
	if err := EncodeShaped(&b, kept{Rows: []row{{true}}}, "a"); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	var again kept
	if err := DecodeShaped(bytes.NewReader(data), &again, "a"); err != nil || len(again.Rows) != 1 || !again.Rows[0].NewWording {
		t.Errorf("%+v, %v", again, err)
	}
	type renamed struct{ Anew bool }
	type more struct {
		NewWording bool
		Countries  []string
	}
	type retyped struct{ NewWording [2]bool }
	for name, other := range map[string]any{
		"renamed": &struct {
			Rows []renamed
			At   map[string]*renamed
		}{},
		"more": &struct {
			Rows []more
			At   map[string]*more
		}{},
		"retyped": &struct {
			Rows []retyped
			At   map[string]*retyped
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := DecodeShaped(bytes.NewReader(data), other, "a"); err == nil || !strings.Contains(err.Error(), "another version") {
				t.Errorf("it is read: %v", err)
			}
		})
	}
	if err := DecodeShaped(bytes.NewReader(data), &again, "b"); err == nil {
		t.Error("what it depends on has changed, and it is read")
	}
}

// A catalogue that was kept before shapes were is refused with what to do.
func TestAnOldCatalogueIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gazettes.kept")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := gob.NewEncoder(f).Encode(new(catalogue)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Kept(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("it is read, or nothing says what to do: %v", err)
	}
	if err := setOf(&catalogue{Files: nil}).Keep(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Kept(path); err != nil {
		t.Errorf("what this version kept: %v", err)
	}
}
