package readpages

import (
	"os"
	"path/filepath"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
)

func TestKeptPagesAreReadAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "under", "abc.2")
	want := []layout.Page{{Number: 1, Source: layout.OCR, Words: []layout.Word{{Text: "LOI"}, {Text: "n°"}}}, {Number: 2}}
	if err := keep(path, want); err != nil {
		t.Fatal(err)
	}
	got, ok := load(path)
	if !ok || len(got) != 2 || got[0].Words[1].Text != "n°" || got[1].Number != 2 {
		t.Errorf("%v, %v", got, ok)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:len(raw)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := load(path); ok {
		t.Error("half a file was taken for the words")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%d files are left beside: %v", len(left), err)
	}
}

func TestWhatCannotBeReadIsNotKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "torn.2")
	if err := os.WriteFile(path, []byte("no pages"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + "-none", ""} {
		if _, ok := load(p); ok {
			t.Errorf("%q gives pages", p)
		}
	}
}

func TestAMissingFileIsTheCallersFault(t *testing.T) {
	t.Parallel()
	r := Reader{Cache: t.TempDir()}
	defer r.Close()
	if _, err := r.Words(t.Context(), filepath.Join(t.TempDir(), "none.pdf")); errs.KindOf(err) != errs.Invalid {
		t.Errorf("%v", err)
	}
}
