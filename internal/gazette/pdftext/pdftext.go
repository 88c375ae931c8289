// Package pdftext reads PDF files as pages of positioned words, and renders pages for OCR.
//
// A PDF is untrusted: it is parsed by PDFium in WebAssembly, in a child process. The child is
// this executable started again (Main) with an empty environment, the file on standard input,
// and limits on address space, CPU time, file size and descriptors (package confine). On Linux
// (amd64, arm64) it cannot open sockets or start programs; where the kernel has Landlock it can
// open no file once its engine is compiled, and where the kernel allows it has a network
// namespace without interfaces. It dies with its parent. A child may read several files
// (Spares), each in a PDFium that shares no memory with the previous one.
//
// A child that crashes or stalls costs one page, never the caller or the file: the page gets a
// French message in Page.Fault, and another child continues after it. A crash is retried once,
// a stall is not. A file on which children crash again and again is Unprocessable.
//
// Errors of Open: Unsupported (not a PDF), Unprocessable (password, damage), NotFound,
// Internal (the child cannot be started), Unavailable (it does not start in time). All have a
// message for the operator.
package pdftext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vigueur/internal/gazette/pdfhead"
	"vigueur/internal/kit/errs"
)

// Reader opens documents. Its zero value is ready to use.
type Reader struct {
	CacheDir     string        // PDFium's compiled code; empty: the user's cache folder
	StartTimeout time.Duration // limit for the start of the engine, which is slow without compiled code; 0: five minutes
	OpenTimeout  time.Duration // limit for opening the file; 0: a minute
	PageTimeout  time.Duration // limit for reading or painting one page; 0: 20 seconds
	// Spares keeps the children of closed documents for later documents, which saves
	// the start of an engine. nil: each document starts a new child.
	Spares *Spares
}

// Defaults of a Reader.
const (
	defaultStartTimeout = 5 * time.Minute
	defaultOpenTimeout  = time.Minute
	defaultPageTimeout  = 20 * time.Second
)

// Open opens the file in a child. ctx bounds only the opening. The caller must call
// Close on the document.
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

// Warm starts the engine once and stops it, so that its compiled code is in the cache
// before the first document is opened: to compile takes seconds, and under the race
// detector minutes. Errors as for Open.
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

// cacheDir makes the folder for compiled code and returns its absolute path, empty if
// the folder cannot be made. Other users have no access to a new folder, because the
// code in it is executed.
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
