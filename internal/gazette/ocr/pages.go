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
	return r.paint(ctx, doc, p)
}

// paint is page without the budget.
func (r Reader) paint(ctx context.Context, doc Renderer, p layout.Page) (layout.Page, error) {
	dpi := DPI(p)
	img, err := doc.Render(ctx, p.Number, dpi)
	if err == nil && p.Width > 0 {
		// Render lowers the resolution of a very large page.
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
