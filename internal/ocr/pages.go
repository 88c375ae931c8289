package ocr

import (
	"context"
	"image"
	"sync"

	"golang.org/x/sync/errgroup"

	"vigueur/internal/errs"
	"vigueur/internal/page"
)

// Renderer paints pages; a pdftext.Document is one.
type Renderer interface {
	Render(ctx context.Context, n int, dpi float64) (*image.Gray, error)
}

// Pages recognizes pages of doc, so many at a time, and hands each to yield as
// it is done, in no promised order but never two at once. A page that fails is
// handed over as it came, with the reason in Fault. It returns the first error
// of yield, ctx's, or Unavailable when there is no Tesseract.
func (r Reader) Pages(ctx context.Context, doc Renderer, pages []page.Page, workers int, yield func(page.Page) error) error {
	if len(pages) == 0 {
		return nil
	}
	if err := r.Available(ctx); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, workers))
	var one sync.Mutex
	for _, p := range pages {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			done, err := r.page(ctx, doc, p)
			if err != nil {
				return err
			}
			one.Lock()
			defer one.Unlock()
			return yield(done)
		})
	}
	return group.Wait()
}

// page renders and recognizes one page.
func (r Reader) page(ctx context.Context, doc Renderer, p page.Page) (page.Page, error) {
	dpi := DPI(p)
	img, err := doc.Render(ctx, p.Number, dpi)
	if err == nil && p.Width > 0 {
		// A page too large for its resolution was painted at a lower one.
		dpi = float64(img.Rect.Dx()) * 72 / p.Width
	}
	var done page.Page
	if err == nil {
		done, err = r.Read(ctx, p, img, dpi)
	}
	switch {
	case err == nil:
		return done, nil
	case ctx.Err() != nil:
		return p, context.Cause(ctx)
	case errs.Is(err, errs.Unprocessable):
		p.Fault = errs.Public(err)
		return p, nil
	}
	return p, err
}
