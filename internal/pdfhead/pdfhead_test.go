package pdfhead

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vigueur/internal/errs"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	if err := Check(t.TempDir()); !errs.Is(err, errs.Invalid) {
		t.Errorf("folder: %v", err)
	}
	if err := Check(filepath.Join(t.TempDir(), "absent.pdf")); !errs.Is(err, errs.NotFound) {
		t.Errorf("absent: %v", err)
	}
	good := filepath.Join(t.TempDir(), "bon.pdf")
	if err := os.WriteFile(good, []byte("%PDF-1.7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Check(good); err != nil {
		t.Errorf("good file: %v", err)
	}
}

// FuzzCheckHead checks that a head is taken for a PDF's only with its mark, and
// refused with a sentence.
func FuzzCheckHead(f *testing.F) {
	f.Add([]byte("%PDF-1.7\n"))
	f.Add([]byte("\xef\xbb\xbf <HTML>"))
	f.Add([]byte("version https://git-lfs.github.com/spec/v1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		err := checkHead(bytes.NewReader(b))
		if marked := bytes.Contains(b[:min(len(b), HeadBytes)], []byte("%PDF-")); marked != (err == nil) {
			t.Errorf("%q: %v", b, err)
		}
		if err != nil && errs.Public(err) == "" {
			t.Errorf("%q: no sentence: %v", b, err)
		}
	})
}
