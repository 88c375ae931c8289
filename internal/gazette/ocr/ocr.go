// Package ocr recognizes the words of scanned pages with Tesseract.
//
// A page is rendered at the scan's own resolution, at most 300 dpi (more is slower and no
// better), deskewed, and passed to a tesseract process with one thread. Tesseract is native code
// and the page is untrusted, so the process is this executable started again (Main), which confines
// itself (package confine) before it becomes tesseract: on Linux it can open no socket and start no
// process, and where the kernel has Landlock it can read only its libraries and languages. If the words stand on
// their side, or do not look like text and the page's orientation is another, the turned page is recognized again. Positions are in points on the page as displayed.
//
// Without Tesseract or its French data every call returns Unavailable with instructions;
// callers continue with the pages that have a text layer. A page that takes too long is
// retried after the others, alone and with more time. A page that fails again, or on which
// Tesseract fails, is returned without words and with the reason in Page.Fault. Budget limits
// the time of all pages of a file together.
package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
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

// bound returns a context that ends when the recognition of a page has taken too long.
func (r Reader) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.within != nil {
		return r.within(ctx, r.timeout())
	}
	return context.WithTimeout(ctx, r.timeout())
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
	bounded, cancel := r.bound(ctx)
	defer cancel()
	job := job{Reader: r, program: program, dpi: dpi}
	words, skew, turn, err := job.recognize(bounded, img)
	switch {
	case ctx.Err() != nil:
		return p, context.Cause(ctx)
	case errors.Is(bounded.Err(), context.DeadlineExceeded):
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
func place(words []layout.Word, p layout.Page, turn layout.Rotation) []layout.Word {
	for i := range words {
		w := &words[i]
		w.Turn = (w.Turn + turn) % layout.Askew
		w.Rect = layout.Rotate(w.Rect, turn, p.Width, p.Height)
		for k, x := range w.Rect {
			w.Rect[k] = hundredth(x) // words are stored in hundredths of a point, which is finer than print
		}
	}
	return words
}

// ErrSpent is the error of a recognition that did not start because its budget was spent, or that
// was ended because the budget ran out.
var ErrSpent = errors.New("the time for recognizing this file is spent")

// Budget limits the time for recognizing the pages of one file, summed over pages: two pages that
// are recognized at the same time for one second use two seconds. A nil *Budget sets no limit. A
// Budget is safe for use by many goroutines.
type Budget struct {
	limit time.Duration

	mu      sync.Mutex
	used    time.Duration                   // time spent until since
	since   time.Time                       // time of the last call of count
	running map[int]context.CancelCauseFunc // the recognitions in progress
	next    int                             // key of the next recognition
	end     *time.Timer                     // fires when the recognitions in progress will have spent the budget
}

// NewBudget returns a budget of the given limit, of which the time used is already spent.
func NewBudget(limit, used time.Duration) *Budget {
	return &Budget{limit: limit, used: used, running: map[int]context.CancelCauseFunc{}}
}

// Used returns the time spent so far, including the time of recognitions in progress.
func (b *Budget) Used() time.Duration {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count()
	return b.used
}

// Start begins to count time for a recognition, until the caller calls done. When the budget runs
// out, it cancels the returned context with ErrSpent. If the budget is already spent, it returns the
// error ErrSpent.
func (b *Budget) Start(ctx context.Context) (_ context.Context, done func(), err error) {
	if b == nil {
		return ctx, func() {}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count()
	if b.used >= b.limit {
		return ctx, func() {}, ErrSpent
	}
	ctx, cancel := context.WithCancelCause(ctx)
	key := b.next
	b.next++
	b.running[key] = cancel
	b.watch()
	return ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.count()
		delete(b.running, key)
		b.watch()
		cancel(nil)
	}, nil
}

// count adds the time since the last call, once for each recognition in progress.
func (b *Budget) count() {
	now := time.Now()
	b.used += time.Duration(len(b.running)) * now.Sub(b.since)
	b.since = now
}

// watch sets the timer to the time at which the recognitions in progress will have spent the budget.
func (b *Budget) watch() {
	if b.end != nil {
		b.end.Stop()
	}
	if n := len(b.running); n > 0 {
		b.end = time.AfterFunc((b.limit-b.used)/time.Duration(n), b.expire)
	}
}

// expire cancels the recognitions in progress if the budget is spent.
func (b *Budget) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count()
	if b.used < b.limit {
		b.watch() // a recognition has ended since the timer was set
		return
	}
	for _, cancel := range b.running {
		cancel(ErrSpent)
	}
}

// Renderer renders pages. A pdftext.Document is a Renderer.
type Renderer interface {
	Render(ctx context.Context, n int, dpi float64) (*image.Gray, error)
}

// Pages recognizes the given pages of doc, at most workers of them at a time. It calls yield
// with each page as soon as the page is done, in any order, but never calls yield twice at the
// same time. A page that fails is passed to yield unchanged, except for the reason in Fault.
// Pages returns the first error of yield, the cause of ctx's end, ErrSpent if the budget runs
// out, or Unavailable without Tesseract.
func (r Reader) Pages(ctx context.Context, doc Renderer, pages []layout.Page, workers int, yield func(layout.Page) error) error {
	if len(pages) == 0 {
		return nil
	}
	if err := r.Available(ctx); err != nil {
		return err
	}
	outer := ctx
	group, ctx := errgroup.WithContext(outer)
	group.SetLimit(max(1, workers))
	var one sync.Mutex
	var late []layout.Page
	for _, p := range pages {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			done, err := r.page(ctx, doc, p)
			one.Lock()
			defer one.Unlock()
			switch {
			case errors.Is(err, errSlow):
				late = append(late, p)
				return nil
			case err != nil:
				return err
			}
			return yield(done)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return r.again(outer, doc, late, yield)
}

// patience is the factor by which the timeout is longer for a page that is tried again, alone.
const patience = 3

// again recognizes the pages that took too long, one after another, because they may have been
// slow only while other pages were recognized at the same time.
func (r Reader) again(ctx context.Context, doc Renderer, late []layout.Page, yield func(layout.Page) error) error {
	r.Timeout = patience * r.timeout()
	for _, p := range late {
		done, err := r.page(ctx, doc, p)
		if errors.Is(err, errSlow) {
			p.Fault = errs.Public(err)
			done, err = p, nil
		}
		if err != nil {
			return err
		}
		if err := yield(done); err != nil {
			return err
		}
	}
	return nil
}

// page renders and recognizes one page within the budget. If the page takes too long, page returns
// errSlow. If it cannot be recognized, page returns it with the reason in Fault, and no error.
func (r Reader) page(ctx context.Context, doc Renderer, p layout.Page) (layout.Page, error) {
	ctx, done, err := r.Budget.Start(ctx)
	if err != nil {
		return p, err
	}
	defer done()
	dpi := DPI(p)
	img, err := doc.Render(ctx, p.Number, dpi)
	if err == nil && p.Width > 0 {
		// Render lowers the resolution of a very large page.
		dpi = float64(img.Rect.Dx()) * 72 / p.Width
	}
	var read layout.Page
	if err == nil {
		read, err = r.Read(ctx, p, img, dpi)
	}
	switch {
	case err == nil:
		return read, nil
	case ctx.Err() != nil:
		return p, context.Cause(ctx)
	case errors.Is(err, errSlow):
		return p, err
	case errs.Is(err, errs.Unprocessable):
		p.Fault = errs.Public(err)
		return p, nil
	}
	return p, err
}

// Setting is a way of recognizing a part of a page.
type Setting struct {
	DPI  float64    // resolution at which the page is rendered
	Only []law.Rect // the places that are read, on the straightened page; nil: the whole part
}

// Part recognizes a part of page p as one block of text. It returns the words line by line, from top to bottom, with
// positions on the page as displayed. part is in points on the straightened page, as Straight returns it. Words that
// its edges cut may be misread. Errors are those of Read, and ErrSpent if the budget runs out.
func (r Reader) Part(ctx context.Context, doc Renderer, p layout.Page, part law.Rect, s Setting) ([][]layout.Word, error) {
	program, err := r.program()
	if err != nil {
		return nil, err
	}
	ctx, done, err := r.Budget.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	img, err := doc.Render(ctx, p.Number, s.DPI)
	if err != nil {
		return nil, err
	}
	dpi := float64(img.Rect.Dx()) * 72 / max(p.Width, 1)
	if factor := leans(p); factor != 0 {
		img = lean(img, -factor)
	}
	k := dpi / 72
	area := pixels(part, k).Intersect(img.Rect)
	if area.Empty() {
		return nil, nil
	}
	bounded, cancel := r.bound(ctx)
	defer cancel()
	job := job{Reader: r, program: program, dpi: dpi}
	only := []image.Rectangle{area}
	if len(s.Only) > 0 {
		only = nil
		for _, r := range s.Only {
			only = append(only, pixels(r, k))
		}
	}
	out, err := job.run(bounded, crop(img, area, only), "-l", language, "--psm", psmBlock, "tsv")
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, errs.Wrap(errs.Unprocessable, "La reconnaissance a échoué.", fmt.Errorf("part of page %d: %w", p.Number, err))
	}
	lines := parseLines(out, 1/k)
	for _, words := range lines {
		for i := range words {
			w := &words[i].Rect
			for j, start := range []int{area.Min.X, area.Min.Y, area.Min.X, area.Min.Y} {
				w[j] += float64(start) / k
			}
			*w = layout.Lean(*w, leans(p), p.Width, p.Height)
			for j := range w {
				w[j] = hundredth(w[j])
			}
		}
	}
	return lines, nil
}

// Straight returns the place of the rectangle r of page p after the page was straightened for recognition.
func Straight(p layout.Page, r law.Rect) law.Rect {
	return layout.Lean(r, -leans(p), p.Width, p.Height)
}

// leans returns by how many degrees a page is straightened.
func leans(p layout.Page) float64 {
	if math.Abs(p.Skew) <= bearable {
		return 0
	}
	return p.Skew
}

// pixels returns a place on a picture that is scaled by k.
func pixels(r law.Rect, k float64) image.Rectangle {
	return image.Rect(int(r[0]*k), int(r[1]*k), int(math.Ceil(r[2]*k)), int(math.Ceil(r[3]*k)))
}

// crop returns a copy of a part of a picture that is white but for some places.
func crop(img *image.Gray, part image.Rectangle, only []image.Rectangle) *image.Gray {
	out := &image.Gray{Pix: bytes.Repeat([]byte{255}, part.Dx()*part.Dy()), Stride: part.Dx(), Rect: image.Rectangle{Max: part.Size()}}
	for _, place := range only {
		place = place.Intersect(part)
		for y := place.Min.Y; y < place.Max.Y; y++ {
			copy(out.Pix[out.PixOffset(place.Min.X-part.Min.X, y-part.Min.Y):][:place.Dx()], img.Pix[img.PixOffset(place.Min.X, y):])
		}
	}
	return out
}
