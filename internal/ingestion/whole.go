package ingestion

import (
	"context"
	"fmt"

	"vigueur/internal/errs"
	"vigueur/internal/layout"
)

// ReadFile reads all pages of the PDF at path as Run does, each by its text layer
// or recognized where that is better, and saves nothing: it is for measuring. A
// page that cannot be read carries the reason; a tool that is missing is an
// error, because what is measured without it is not what a worker would do.
func (r *Runner) ReadFile(ctx context.Context, path string) (pages []layout.Page, err error) {
	doc, err := r.Read(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { err = closing(err, doc.Close()) }()
	if doc.Pages() <= 0 {
		return nil, errs.New(errs.Unprocessable, "Ce PDF n’a aucune page.")
	}
	if pages, err = doc.Read(ctx, 1, doc.Pages()); err != nil {
		return nil, err
	}
	at := map[int]int{}
	var scans []layout.Page
	for i, p := range pages {
		if wantsOCR(p) {
			at[p.Number] = i
			scans = append(scans, p)
		}
	}
	if len(scans) == 0 {
		return pages, nil
	}
	if r.OCR == nil {
		return nil, errs.New(errs.Unavailable, "La reconnaissance de caractères n’est pas en service.")
	}
	err = r.OCR(ctx, doc, scans, func(p layout.Page) error {
		i := at[p.Number]
		pages[i] = better(pages[i], p)
		return nil
	})
	return pages, err
}
