package pdfhead

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vigueur/internal/kit/errs"
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

// FuzzCheckHead checks that a head is accepted if and only if it contains the mark of a PDF, and
// that any other head is refused with a message.
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

func TestCheckHead(t *testing.T) {
	t.Parallel()
	far := bytes.Repeat([]byte(" "), HeadBytes)
	for name, c := range map[string]struct {
		head []byte
		want string // part of the message; "": accepted as a PDF
	}{
		"a PDF":                        {[]byte("%PDF-1.4\n%âãÏÓ"), ""},
		"other bytes before the mark":  {[]byte("\xef\xbb\xbfMIME\r\n\r\n%PDF-1.7"), ""},
		"nothing":                      {nil, "Le fichier est vide."},
		"a mark that is cut":           {[]byte("%PDF"), "Le fichier n’est pas un PDF."},
		"a picture":                    {[]byte("\x89PNG\r\n\x1a\n"), "Le fichier n’est pas un PDF."},
		"a page of the web":            {[]byte("\xef\xbb\xbf\r\n <!DOCTYPE html><html>"), "Le fichier est une page web (HTML) sous un nom de PDF, pas un PDF."},
		"a page without its type":      {[]byte("<HTML lang=fr>"), "Le fichier est une page web (HTML) sous un nom de PDF, pas un PDF."},
		"a pointer in place of a file": {[]byte("version https://git-lfs.github.com/spec/v1\n"), "Le fichier n’est qu’un renvoi Git LFS : le PDF lui-même n’a pas été téléchargé."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := CheckHead(c.head)
			if (err == nil) != (c.want == "") || err != nil && (errs.Public(err) != c.want || !errs.Is(err, errs.Unsupported)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	t.Run("a mark too far into the file", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "loin.pdf")
		if err := os.WriteFile(path, append(far, "%PDF-1.7"...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(path); !errs.Is(err, errs.Unsupported) {
			t.Errorf("it is taken for a PDF: %v", err)
		}
	})
}
