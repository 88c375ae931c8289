// Package ocr recognizes the words of scanned pages with Tesseract.
//
// A page is rendered at the scan's own resolution, at most 300 dpi (more is slower and no
// better), deskewed, and passed to a tesseract process with one thread. Tesseract is native code
// and the page is untrusted, so the process is this executable started again (Main), which confines
// itself (package confine) before it becomes tesseract: on Linux it can open no socket and start no
// process, and where the kernel has Landlock it can read only its libraries and languages. If the result does not
// look like text, the page's orientation is detected and, if it was rotated, the corrected
// page is recognized again. Positions are in points on the page as displayed.
//
// Without Tesseract or its French data every call returns Unavailable with instructions;
// callers continue with the pages that have a text layer. A page that takes too long is
// retried after the others, alone and with more time. A page that fails again, or on which
// Tesseract fails, is returned without words and with the reason in Page.Fault. Budget limits
// the time of all pages of a file together.
package ocr

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os/exec"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
)

// Reader recognizes pages. Its zero value uses the tesseract found in PATH.
type Reader struct {
	Program string        // tesseract's path; empty: found in PATH
	Timeout time.Duration // limit for one page; 0: two minutes
	Budget  *Budget       // limit for all pages of a file together; nil: no limit

	within func(context.Context, time.Duration) (context.Context, context.CancelFunc) // nil: context.WithTimeout
	free   bool                                                                       // start Program unconfined: tests use shell scripts, which start other programs
}

const (
	language       = "fra"
	defaultTimeout = 2 * time.Minute
	maxDPI         = 300.0
	minDPI         = 100.0
)

// errSlow is the error of a page that took too long. Such a page is tried again after the others.
var errSlow = errors.New("out of time")

// install is the message for a machine without Tesseract or its French data.
const install = "La reconnaissance de caractères n’est pas installée : les pages numérisées ne peuvent pas être lues. Installez-la avec « apt-get install tesseract-ocr tesseract-ocr-fra »."

// Available returns nil if pages can be recognized on this machine, else Unavailable.
func (r Reader) Available(ctx context.Context) error {
	program, err := r.program()
	if err != nil {
		return err
	}
	cmd, err := r.command(ctx, program, "--list-langs")
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return errs.Wrap(errs.Unavailable, install, fmt.Errorf("%s --list-langs: %w: %.300s", program, err, out))
	}
	if !slices.Contains(strings.Fields(string(out)), language) {
		return errs.Wrap(errs.Unavailable, install, fmt.Errorf("%s has no language %s", program, language))
	}
	return nil
}

func (r Reader) program() (string, error) {
	if r.Program != "" {
		return r.Program, nil
	}
	path, err := exec.LookPath("tesseract")
	return path, errs.Wrap(errs.Unavailable, install, err)
}

func (r Reader) timeout() time.Duration {
	if r.Timeout <= 0 {
		return defaultTimeout
	}
	return r.Timeout
}

// DPI returns the resolution at which p must be rendered for recognition.
func DPI(p layout.Page) float64 {
	if !p.Scan() || p.DPI < minDPI { // the resolution of a picture says nothing about the text around it
		return maxDPI
	}
	return min(p.DPI, maxDPI)
}

// Read recognizes img, the picture of page p rendered at dpi. It returns p with new
// Words, Source and Skew, and without Fault. Errors: Unavailable without Tesseract,
// Unprocessable if Tesseract fails on this page or takes too long, and the cause of
// ctx's end.
func (r Reader) Read(ctx context.Context, p layout.Page, img *image.Gray, dpi float64) (layout.Page, error) {
	program, err := r.program()
	if err != nil {
		return p, err
	}
	limit := r.within
	if limit == nil {
		limit = context.WithTimeout
	}
	within, cancel := limit(ctx, r.timeout())
	defer cancel()
	job := job{Reader: r, program: program, dpi: dpi}
	words, skew, turn, err := job.recognize(within, img)
	switch {
	case ctx.Err() != nil:
		return p, context.Cause(ctx)
	case errors.Is(within.Err(), context.DeadlineExceeded):
		return p, errs.Wrap(errs.Unprocessable, fmt.Sprintf("La reconnaissance a dépassé %.0f secondes.", r.timeout().Seconds()), fmt.Errorf("%w: %w", errSlow, err))
	case err != nil:
		return p, errs.Wrap(errs.Unprocessable, "La reconnaissance a échoué.", err)
	}
	p.Words, p.Source, p.Skew, p.Fault = place(words, p, turn), layout.OCR, skew, ""
	if len(words) == 0 {
		p.Source = layout.None
	}
	return p, nil
}

// place converts the positions of words from points on the upright picture to points
// on the page as displayed. The positions must already be corrected for the lean of
// the page.
func place(words []layout.Word, p layout.Page, turn layout.Turn) []layout.Word {
	for i := range words {
		w := &words[i]
		w.Turn = turn
		w.Rect = layout.Rotate(w.Rect, turn, p.Width, p.Height)
		for k, x := range w.Rect {
			w.Rect[k] = math.Round(x*100) / 100 // words are stored in hundredths of a point, which is finer than print
		}
	}
	return words
}
