// Package pdftext reads PDF files as pages of words with places, and paints
// pages for character recognition.
//
// A PDF is foreign, hostile data: it is parsed by PDFium in WebAssembly, in a
// child process, never in the caller's. The child is this same executable
// started again (Main), with no environment, the file's bytes on its standard
// input, and limits on address space, processor time, file size and descriptors.
// It can open no socket and start no program (on Linux, amd64 and arm64), and has
// a network of its own, without interfaces, where the kernel allows that. It dies
// with its parent. A child may read several files (Spares), each in a PDFium that
// shares no memory with the one before.
//
// A child that dies or stalls costs one page, never the caller and never the
// file: that page gets a French sentence in Page.Fault, another child is started
// and goes on after it. A crash is tried once more, a stall is not. Only a file
// on which children die again and again is given up, as Unprocessable.
//
// Errors of Open: Unsupported when the file is no PDF, Unprocessable when it is
// one that cannot be read (password, damage), NotFound when it is not there,
// Internal when the child cannot be started, Unavailable when it does not start in
// time. All carry a sentence for the
// operator.
package pdftext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/pdfhead"
)

// Reader opens documents. Its zero value is ready to use.
type Reader struct {
	CacheDir     string        // PDFium's compiled code; empty: the user's cache folder
	StartTimeout time.Duration // for the engine to start, longest when there is no compiled code yet; 0: five minutes
	OpenTimeout  time.Duration // for the file to be opened; 0: a minute
	PageTimeout  time.Duration // for one page read or painted; 0: 20 seconds
	// Spares keeps the child of a document that was read without fault for the next
	// one, which saves the start of its engine; nil: each has a child of its own.
	Spares *Spares
}

// Defaults of a Reader.
const (
	defaultStartTimeout = 5 * time.Minute
	defaultOpenTimeout  = time.Minute
	defaultPageTimeout  = 20 * time.Second
)

// Open starts a child on the file. ctx bounds the opening only; Close must be
// called on the document.
func (r Reader) Open(ctx context.Context, path string) (*Document, error) {
	if os.Getenv(envChild) != "" {
		return nil, errors.New("open a PDF in the PDF child: Main was not called first")
	}
	r.setDefaults()
	f, err := pdfhead.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	d := &Document{reader: r, file: f}
	if err := d.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), d.Close())
	}
	return d, nil
}

// Warm starts the engine once and stops it, so that its compiled code lies in
// the cache when the first document comes: compiling takes seconds, and minutes
// under the race detector. Errors as for Open.
func (r Reader) Warm(ctx context.Context) error {
	r.setDefaults()
	child, err := r.run(ctx)
	if err != nil {
		return err
	}
	child.kill()
	return nil
}

func (r *Reader) setDefaults() {
	if r.StartTimeout <= 0 {
		r.StartTimeout = defaultStartTimeout
	}
	if r.OpenTimeout <= 0 {
		r.OpenTimeout = defaultOpenTimeout
	}
	if r.PageTimeout <= 0 {
		r.PageTimeout = defaultPageTimeout
	}
	r.CacheDir = cacheDir(r.CacheDir)
}

// cacheDir makes the folder for compiled code, readable by nobody else since
// what lies in it is executed; empty when there can be none.
func cacheDir(dir string) string {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(user, "vigueur", "pdfium")
	}
	abs, err := filepath.Abs(dir)
	if err != nil || os.MkdirAll(abs, 0o700) != nil {
		return ""
	}
	return abs
}

// helloError turns a child's report of why there are no pages into an error.
func helloError(h reply) error {
	switch h.Fault {
	case faultPassword:
		return errs.New(errs.Unprocessable, "Le PDF est protégé par un mot de passe : enregistrez-en une copie sans mot de passe, puis réessayez.")
	case faultSecurity:
		return errs.New(errs.Unprocessable, "Le PDF est chiffré d’une manière qui n’est pas prise en charge : enregistrez-en une copie sans protection.")
	case faultEngine:
		return errs.New(errs.Internal, "")
	}
	pages := " page"
	if h.Expect > 1 {
		pages = fmt.Sprintf(" de ses %d pages", h.Expect)
	}
	if h.Cut {
		return errs.Newf(errs.Unprocessable, "Le PDF est incomplet, la fin du fichier manque : aucune%s ne peut être lue.", pages)
	}
	return errs.Newf(errs.Unprocessable, "Le PDF est endommagé : aucune%s ne peut être lue.", pages)
}

func damagedPage(n int) string {
	return fmt.Sprintf("La page %d est abîmée et n’a pas pu être lue.", n)
}
