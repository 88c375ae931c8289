package gazettes

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"vigueur/internal/ingestion"
	"vigueur/internal/ocr"
	"vigueur/internal/page"
	"vigueur/internal/pdftext"
)

// reading names what reads words of a file. Raise it when pdftext, ocr or the
// choice between them changes.
const reading = "2"

// Reader reads the words of files on the production path.
type Reader struct {
	Cache   string // a folder where words once read are kept; "" for nowhere
	readers pdftext.Spares
}

// Close ends what reading has started.
func (r *Reader) Close() { r.readers.Close() }

// Words gives the pages of a file before they are arranged.
func (r *Reader) Words(ctx context.Context, path string) ([]page.Page, error) {
	kept, err := r.place(path)
	if err != nil {
		return nil, err
	}
	if pages, err := load(kept); err == nil {
		for i := range pages {
			if pages[i].Source == page.Layer {
				pages[i].Words = pdftext.MendCodes(pages[i].Words)
			}
		}
		return pages, nil
	}
	recognize := ocr.Reader{}
	run := ingestion.Runner{
		Read: func(ctx context.Context, path string) (ingestion.Document, error) {
			return pdftext.Reader{Spares: &r.readers}.Open(ctx, path)
		},
		OCR: func(ctx context.Context, doc ingestion.Renderer, pages []page.Page, yield func(page.Page) error) error {
			return recognize.Pages(ctx, doc, pages, runtime.GOMAXPROCS(0), yield)
		},
	}
	pages, err := run.ReadFile(ctx, path)
	if err != nil || kept == "" {
		return pages, err
	}
	return pages, keep(kept, pages)
}

// place is the file in which the words of a file are kept, "" for none.
func (r *Reader) place(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if r.Cache == "" {
		return "", nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return filepath.Join(r.Cache, hex.EncodeToString(sum.Sum(nil))+"."+reading), nil
}

func load(path string) ([]page.Page, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var pages []page.Page
	err = gob.NewDecoder(z).Decode(&pages)
	return pages, err
}

// keep writes pages whole or not at all.
func keep(path string, pages []page.Page) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "pages-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	z := gzip.NewWriter(f)
	if err := gob.NewEncoder(z).Encode(pages); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
