package pdftext

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"sync"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
)

// maxDeaths is how many pages of one file may kill or stall their child before
// the file is given up.
const maxDeaths = 12

// Document is an open PDF. Its methods may be called from several goroutines
// and run one after the other.
type Document struct {
	reader Reader
	file   *os.File

	mu     sync.Mutex
	child  *process // nil: to be started by the next call
	hello  reply
	deaths int
	closed bool

	// The child reads ahead while the caller works on the last run of pages. asked
	// is the last page that the child was asked for, 0 if no answer is outstanding;
	// next is the next page that it will send. kept holds pages that were received
	// but that no caller has asked for yet.
	next, asked int
	kept        []layout.Page
}

// Pages is how many pages the document has. Each of them can be asked for.
func (d *Document) Pages() int { return d.hello.Pages }

// Missing is how many pages are lost, as in a file that lost its end: the number of
// pages that the file claims, less Pages. It is 0 if no page is lost, or if the file
// claims no number.
func (d *Document) Missing() int { return max(0, d.hello.Expect-d.hello.Pages) }

// Read returns the pages from..to, both included and counted from 1. Their words are
// not arranged into lines. A page that cannot be read has no words, and has the
// reason in Fault. Errors: Invalid for pages that do not exist, Unprocessable when
// the file was given up, and the cause of ctx's end.
func (d *Document) Read(ctx context.Context, from, to int) ([]layout.Page, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if from < 1 || to < from || to > d.hello.Pages {
		return nil, errs.Newf(errs.Invalid, "Les pages %d à %d n’existent pas : le fichier en a %d.", from, to, d.hello.Pages)
	}
	out := make([]layout.Page, 0, to-from+1)
	retried := 0
	for from <= to {
		// Without this check, a quick child could answer in spite of a cancelled ctx.
		if err := context.Cause(ctx); err != nil {
			return out, err
		}
		got, err := d.readRun(ctx, from, to)
		out = append(out, got...)
		from += len(got)
		if err == nil {
			continue
		}
		fault, err := d.bury(ctx, from, err)
		if err != nil {
			return out, err
		}
		if fault == "" && retried != from {
			retried = from // earlier pages may have caused the crash: try this page in a new child
			continue
		}
		if fault == "" {
			fault = damagedPage(from)
		}
		out = append(out, layout.Page{Number: from, Source: layout.None, Fault: fault})
		from++
	}
	return out, nil
}

// Render paints page n in grey at dpi pixels per inch. If the picture would have
// more than maxPixels, the resolution is lower.
func (d *Document) Render(ctx context.Context, n int, dpi float64) (*image.Gray, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n < 1 || n > d.hello.Pages || dpi <= 0 {
		return nil, errs.Newf(errs.Invalid, "La page %d n’existe pas : le fichier en a %d.", n, d.hello.Pages)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if err := d.drain(ctx); err != nil {
		return nil, err
	}
	d.dropDead()
	if err := d.start(ctx); err != nil {
		return nil, err
	}
	img, err := d.paint(ctx, n, dpi)
	if err == nil {
		return img, nil
	}
	if errors.Is(err, errRender) {
		return nil, errs.Wrap(errs.Unprocessable, fmt.Sprintf("La page %d ne peut pas être convertie en image.", n), err)
	}
	fault, err := d.bury(ctx, n, err)
	if err != nil {
		return nil, err
	}
	if fault == "" {
		fault = damagedPage(n)
	}
	return nil, errs.New(errs.Unprocessable, fault)
}

// paint asks the child for one picture.
func (d *Document) paint(ctx context.Context, n int, dpi float64) (*image.Gray, error) {
	var img *image.Gray
	d.child.pages++
	err := d.child.guard(ctx, d.reader.PageTimeout, func() error {
		if err := d.child.ask(request{Op: "render", From: n, DPI: dpi}); err != nil {
			return err
		}
		var r reply
		if err := readJSON(d.child.read, &r); err != nil {
			return err
		}
		if r.Width < 0 || r.Height < 0 || r.Width > maxFrame || r.Height > maxFrame {
			return fmt.Errorf("%w: picture of %d by %d", errFrame, r.Width, r.Height)
		}
		pixels, err := readFrame(d.child.read, kindImage, maxFrame)
		if err != nil {
			return err
		}
		if len(pixels) != r.Width*r.Height {
			return fmt.Errorf("%w: %d pixels for %d by %d", errFrame, len(pixels), r.Width, r.Height)
		}
		img = &image.Gray{Pix: pixels, Stride: r.Width, Rect: image.Rect(0, 0, r.Width, r.Height)}
		return nil
	})
	if err == nil && img.Rect.Empty() {
		return nil, errRender
	}
	return img, err
}

// bury ends the child that failed on page n, and returns the French sentence for
// that page. The sentence is empty if the child crashed: then the page can be tried
// again. An error means that no further page can be read.
func (d *Document) bury(ctx context.Context, n int, cause error) (fault string, err error) {
	if d.child == nil {
		return "", cause // the child failed to start
	}
	child := d.child
	d.child, d.asked = nil, 0
	last := child.lastWords(cause)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if d.deaths++; d.deaths > maxDeaths {
		return "", errs.Wrap(errs.Unprocessable, "Trop de pages du PDF sont abîmées : sa lecture a été arrêtée.", last)
	}
	var slow *stall
	switch {
	case errors.As(cause, &slow):
		return fmt.Sprintf("La page %d n’a pas pu être lue en %.0f secondes.", n, slow.limit.Seconds()), nil
	case child.starved():
		return fmt.Sprintf("La page %d demande trop de mémoire pour être lue.", n), nil
	}
	return "", nil
}

// dropDead removes a child that died while nothing was asked of it, so that the page
// asked for next is not blamed for the child's death.
func (d *Document) dropDead() {
	if d.child == nil {
		return
	}
	select {
	case <-d.child.dead:
		d.child.kill()
		d.child = nil
	default:
	}
}

// start makes sure that a child runs and has the file open.
func (d *Document) start(ctx context.Context) error {
	if d.closed {
		return errors.New("document is closed")
	}
	if d.child != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	child := d.reader.Spares.take()
	if child != nil {
		if err := d.greet(ctx, child); err == nil || !errors.Is(err, errBroken) {
			return err
		}
	}
	child, err := d.reader.run(ctx)
	if err != nil {
		return err
	}
	return d.greet(ctx, child)
}

// run starts a child and waits until its engine runs.
func (r Reader) run(ctx context.Context) (*process, error) {
	child, err := spawn(r)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, "", fmt.Errorf("start the PDF child: %w", err))
	}
	if err := engineRuns(ctx, child, r); err != nil {
		child.kill()
		return nil, err
	}
	return child, nil
}

// engineRuns waits until the child's engine runs.
func engineRuns(ctx context.Context, child *process, r Reader) error {
	var ready reply
	err := child.guard(ctx, r.StartTimeout, func() error { return readJSON(child.read, &ready) })
	var slow *stall
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &slow):
		return errs.Wrap(errs.Unavailable, "Le lecteur de PDF n’a pas démarré à temps : la machine est sans doute surchargée. Réessayez plus tard.", child.lastWords(err))
	case err != nil || !ready.Ready: // also a program that does not call Main
		return errs.Wrap(errs.Internal, "", child.lastWords(errors.Join(errors.New("the PDF child did not start"), err)))
	}
	return nil
}

// errBroken is the error of a child that failed before it reported what is in the file.
var errBroken = errors.New("the PDF child broke")

// greet sends the file to the child and makes it the document's child. A child that
// fails is ended. A child that reports that the file cannot be opened is given to
// Spares, for another file.
func (d *Document) greet(ctx context.Context, child *process) error {
	hello, err := child.open(ctx, d.reader.OpenTimeout, d.file)
	switch {
	case err != nil && ctx.Err() != nil:
		child.kill()
		return context.Cause(ctx)
	case err != nil:
		return errs.Wrap(errs.Unprocessable, "Le PDF est endommagé : il ne peut pas être ouvert.", fmt.Errorf("%w: %w", errBroken, child.lastWords(err)))
	case hello.Fault != "":
		d.reader.Spares.put(child)
		return helloError(hello)
	}
	d.child, d.hello = child, hello
	return nil
}

// Close closes the file. It ends the child, or gives it to Spares for another
// document. It waits until a running call returns.
func (d *Document) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	if d.child != nil && d.asked == 0 {
		d.reader.Spares.put(d.child)
		d.child = nil
	}
	d.end()
	return d.file.Close()
}
