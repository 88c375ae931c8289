// Package readpages reads the words of files as a worker does, for those who measure
// and teach the cutting of gazettes, and keeps them: reading scans takes minutes, and
// the same files are cut again and again.
//
// A Reader is safe for use by one goroutine. What is kept is known by the hash of the
// file's bytes; a page that could not be read this time is not kept.
package readpages

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

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/errs"
	"vigueur/internal/work/ingestion"
)

// reading names what reads words of a file. Raise it when pdftext, ocr or the choice
// between them gives other words: pages kept under another name are not used again.
const reading = "7"

// recognizing names what recognizes scanned pages, whose words are kept apart because it takes longest. Raise it when
// ocr gives other words.
const recognizing = "2"

// Reader reads the words of files on the production path.
type Reader struct {
	Cache string // a folder where words once read are kept; "" for nowhere
	// Reading, where set, is told of a file before it is read.
	Reading func(path string)

	readers pdftext.Spares
}

// Close ends what reading has started.
func (r *Reader) Close() { r.readers.Close() }

// Words returns the pages of a file before they are arranged, from what is kept when the
// same bytes were read before. A file that cannot be opened is errs.Invalid.
func (r *Reader) Words(ctx context.Context, path string) ([]layout.Page, error) {
	kept, err := r.place(path)
	if err != nil {
		return nil, err
	}
	if pages, ok := load(kept + "." + reading); ok && kept != "" {
		return pages, nil
	}
	if r.Reading != nil {
		r.Reading(path)
	}
	seen := recognized{}
	if kept != "" {
		seen = loadAs[recognized](kept + ".recognized" + recognizing)
	}
	run := ingestion.GazetteReader{
		Read: func(ctx context.Context, path string) (ingestion.Document, error) {
			return pdftext.Reader{Spares: &r.readers}.Open(ctx, path)
		},
		OCR: func(ctx context.Context, doc ingestion.Renderer, _ *ocr.Budget, pages []layout.Page, yield func(layout.Page) error) error {
			var unknown []layout.Page
			for _, p := range pages {
				known, ok := seen[p.Number]
				if !ok {
					unknown = append(unknown, p)
				} else if err := yield(known); err != nil {
					return err
				}
			}
			return ocr.Reader{}.Pages(ctx, doc, unknown, runtime.GOMAXPROCS(0), func(p layout.Page) error {
				if p.Fault == "" && kept != "" {
					seen[p.Number] = p
					if err := keep(kept+".recognized"+recognizing, seen); err != nil {
						return err
					}
				}
				return yield(p)
			})
		},
	}
	pages, err := run.ReadFile(ctx, path)
	faulty := slices.ContainsFunc(pages, func(p layout.Page) bool { return p.Fault != "" }) // it may be read the next time
	if err != nil || kept == "" || faulty {
		return pages, err
	}
	return pages, keep(kept+"."+reading, pages)
}

// recognized are pages by their numbers as they were recognized.
type recognized map[int]layout.Page

// place is what the names of the files begin with in which the words of a file are kept, "" for none.
func (r *Reader) place(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", errs.Wrap(errs.Invalid, "Le fichier « "+path+" » ne peut pas être lu.", err)
	}
	defer f.Close()
	if r.Cache == "" {
		return "", nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Join(r.Cache, hex.EncodeToString(sum.Sum(nil))), nil
}

// load reads kept pages, with the codes of their words mended as reading does it today;
// what cannot be read, or holds a layer that is found useless today, is as good as not kept.
func load(path string) (pages []layout.Page, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil || gob.NewDecoder(z).Decode(&pages) != nil {
		return nil, false
	}
	for i := range pages {
		if pages[i].Source != layout.Layer {
			continue
		}
		pages[i].Words = pdftext.MendCodes(pages[i].Words)
		if pages[i].Layer() == layout.Useless { // no layer is kept that is judged so
			return nil, false
		}
	}
	return pages, true
}

// keep writes pages, or parts of them, whole or not at all.
func keep(path string, pages any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("keep pages: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "pages-*")
	if err != nil {
		return fmt.Errorf("keep pages: %w", err)
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
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}

// Issue reads a file and cuts it into its texts on the production path. The pages come
// with it, arranged.
func (r *Reader) Issue(ctx context.Context, path string) (gazette.Issue, []layout.Page, error) {
	split := func(pages []layout.Page) gazette.Issue {
		return segment.Split(pages, gazette.Hints{Filename: filepath.Base(path)})
	}
	pages, err := r.Words(ctx, path)
	if err == nil {
		_, err = r.Again(ctx, path, pages, split)
	}
	if err != nil {
		return gazette.Issue{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	layout.Arrange(pages)
	return split(pages), pages, nil
}
