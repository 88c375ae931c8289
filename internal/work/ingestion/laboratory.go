package ingestion

import (
	"context"
	"fmt"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
)

// ReadFile reads all pages of the PDF at path once, as Run does, from the text layer or by OCR,
// whichever is better, without saving anything; it is for benchmarks. A page that cannot be
// read has the reason in its Fault. A missing tool is an error, because the result would differ
// from a worker's.
func (r *GazetteReader) ReadFile(ctx context.Context, path string) (pages []layout.Page, err error) {
	doc, err := r.Read(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { err = orCloseError(err, doc.Close()) }()
	if doc.Pages() <= 0 {
		return nil, errs.New(errs.Unprocessable, "Ce PDF n’a aucune page.")
	}
	if pages, err = doc.Read(ctx, 1, doc.Pages()); err != nil {
		return nil, err
	}
	at := map[int]int{}
	var scans []layout.Page
	for i, p := range pages {
		if p.Layer() != layout.Good {
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
	err = r.OCR(ctx, doc, nil, scans, func(p layout.Page) error {
		i := at[p.Number]
		pages[i] = layout.Better(pages[i], p)
		return nil
	})
	return pages, err
}
