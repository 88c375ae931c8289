// Package pdfhead checks the first bytes of a file for those of a PDF before anything parses
// it. It does not import a PDF engine, which programs that only accept files do not need.
package pdfhead

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"vigueur/internal/kit/errs"
)

// HeadBytes is the number of bytes at the beginning of a file that must contain the
// mark « %PDF- ». Some programs put other bytes before the mark, and PDF readers
// search as many bytes for it.
const HeadBytes = 1024

// Check reads the beginning of a file and returns nil if the file may be a PDF. It takes
// well under a millisecond. Errors: NotFound, Invalid for a file that cannot be read,
// Unsupported for a file that is not a PDF.
func Check(path string) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// Open opens a file that may be a PDF. Its errors are those of Check.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errs.New(errs.Invalid, "Ce n’est pas un fichier.")
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errs.Wrap(errs.NotFound, "Le fichier est introuvable.", err)
	case err != nil:
		return nil, errs.Wrap(errs.Invalid, "Le fichier ne peut pas être lu : vérifiez les droits d’accès.", err)
	}
	if err := checkHead(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// checkHead is CheckHead for an open file.
func checkHead(r io.ReaderAt) error {
	head := make([]byte, HeadBytes)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return errs.Wrap(errs.Invalid, "Le fichier ne peut pas être lu.", err)
	}
	return CheckHead(head[:n])
}

// CheckHead returns nil if a file may be a PDF, else Unsupported. head is the first
// HeadBytes of the file, or the whole file if it is shorter.
func CheckHead(head []byte) error {
	text := bytes.ToLower(bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n"))
	switch {
	case len(head) == 0:
		return errs.New(errs.Unsupported, "Le fichier est vide.")
	case bytes.Contains(head, []byte("%PDF-")):
		return nil
	case bytes.HasPrefix(text, []byte("version https://git-lfs")):
		return errs.New(errs.Unsupported, "Le fichier n’est qu’un renvoi Git LFS : le PDF lui-même n’a pas été téléchargé.")
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.HasPrefix(text, []byte("<html")):
		return errs.New(errs.Unsupported, "Le fichier est une page web (HTML) sous un nom de PDF, pas un PDF.")
	}
	return errs.New(errs.Unsupported, "Le fichier n’est pas un PDF.")
}
