package main

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
	"slices"

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/ingestion"
	"vigueur/internal/ocr"
	"vigueur/internal/page"
	"vigueur/internal/pdftext"
	"vigueur/internal/segment"
)

// reading names what reads words of a file. Raise it when pdftext, ocr or the
// choice between them gives other words: pages kept under another name are not
// used again.
const reading = "2"

// sight reads files for the measures as a worker does.
type sight struct {
	app     *app
	cache   string // where words once read are kept; "" for nowhere
	readers pdftext.Spares
}

// flags adds what all measures can be told, and ends what they leave.
func (s *sight) flags(c *cobra.Command) {
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		defer s.readers.Close()
		return run(c, args)
	}
	c.Flags().StringVar(&s.cache, "pages", "", "`DOSSIER` où garder les mots lus, pour mesurer de nouveau sans relire")
}

// issue reads a file and cuts it, on the production path.
func (s *sight) issue(ctx context.Context, path string) (segment.Issue, []page.Page, error) {
	pages, err := s.words(ctx, path)
	if err != nil {
		return segment.Issue{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	page.Arrange(pages)
	return segment.Split(pages, segment.Hints{Filename: filepath.Base(path)}), pages, nil
}

// words gives the pages of a file before they are arranged, from the cache when
// the same bytes were read before.
func (s *sight) words(ctx context.Context, path string) ([]page.Page, error) {
	kept, err := s.place(path)
	if err != nil {
		return nil, err
	}
	if pages, ok := load(kept); ok {
		return pages, nil
	}
	fmt.Fprintf(s.app.err, "Lecture de %s…\n", clean(filepath.Base(path)))
	recognize := ocr.Reader{}
	r := ingestion.Runner{
		Read: func(ctx context.Context, path string) (ingestion.Document, error) {
			return pdftext.Reader{Spares: &s.readers}.Open(ctx, path)
		},
		OCR: func(ctx context.Context, doc ingestion.Renderer, pages []page.Page, yield func(page.Page) error) error {
			return recognize.Pages(ctx, doc, pages, runtime.GOMAXPROCS(0), yield)
		},
	}
	pages, err := r.ReadFile(ctx, path)
	faulty := slices.ContainsFunc(pages, func(p page.Page) bool { return p.Fault != "" }) // it may be read the next time
	if err != nil || kept == "" || faulty {
		return pages, err
	}
	return pages, keep(kept, pages)
}

// place is the file in which the words of a file are kept, "" for none.
func (s *sight) place(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", errs.Wrap(errs.Invalid, "Le fichier « "+path+" » ne peut pas être lu.", err)
	}
	defer f.Close()
	if s.cache == "" {
		return "", nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return filepath.Join(s.cache, hex.EncodeToString(sum.Sum(nil))+"."+reading), nil
}

// load reads kept pages; what cannot be read is as good as not kept.
func load(path string) (pages []page.Page, ok bool) {
	if path == "" {
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, false
	}
	return pages, gob.NewDecoder(z).Decode(&pages) == nil
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
	err = gob.NewEncoder(z).Encode(pages)
	for _, end := range []func() error{z.Close, f.Close} {
		if e := end(); err == nil {
			err = e
		}
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
