package ocr

import (
	"context"
	"errors"
	"image"
	"sync"

	"golang.org/x/sync/errgroup"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
)

// Renderer paints pages; a pdftext.Document is one.
type Renderer interface {
	Render(ctx context.Context, n int, dpi float64) (*image.Gray, error)
}

// Pages recognizes pages of doc, so many at a time, and hands each to yield as
// it is done, in no promised order but never two at once. A page that fails is
// handed over as it came, with the reason in Fault. It returns the first error
// of yield, ctx's, ErrSpent when the budget runs out, or Unavailable when there is no Tesseract.
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

// patience is how many times as long as the others a page may take that is
// recognized alone.
const patience = 3

// again recognizes pages that ran out of time: one after the other, because it
// may have been the others that took it.
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

// page renders and recognizes one page within the budget. One that takes too long is an error, one
// that cannot be recognized carries the reason.
func (r Reader) page(ctx context.Context, doc Renderer, p layout.Page) (layout.Page, error) {
	ctx, done, err := r.Budget.Start(ctx)
	if err != nil {
		return p, err
	}
	defer done()
	return r.paint(ctx, doc, p)
}

// paint renders and recognizes one page.
func (r Reader) paint(ctx context.Context, doc Renderer, p layout.Page) (layout.Page, error) {
	dpi := DPI(p)
	img, err := doc.Render(ctx, p.Number, dpi)
	if err == nil && p.Width > 0 {
		// A page too large for its resolution was painted at a lower one.
		dpi = float64(img.Rect.Dx()) * 72 / p.Width
	}
	var done layout.Page
	if err == nil {
		done, err = r.Read(ctx, p, img, dpi)
	}
	switch {
	case err == nil:
		return done, nil
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
