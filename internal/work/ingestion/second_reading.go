package ingestion

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/recheck"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// rereadLimit is the maximum number of pages of a file whose places are read again. For each place the
// whole file is cut again, and is in memory twice.
const rereadLimit = 500

// readAgain reads places of scanned pages a second time if the texts cut from the pages show that they
// were misread, and saves the pages that improve. A file with edits by a person is not read again,
// because the edits name its lines. A missing tool and a spent budget are no errors, because all pages have been read
// once.
func (j *job) readAgain(ctx context.Context) (err error) {
	if j.Part == nil || j.unread != "" || j.PagesTotal > rereadLimit {
		return nil
	}
	pages, err := j.pages(ctx)
	if err != nil || !slices.ContainsFunc(pages, layout.Page.Rereadable) {
		return err
	}
	if edits, _, err := j.loadEdits(ctx); err != nil || len(edits) > 0 {
		return err
	}
	hints, err := j.hints()
	if err != nil {
		return err
	}
	hints.Today = j.Now()
	doc := &lateDocument{job: j}
	defer func() { err = orCloseError(err, doc.close()) }()
	again := recheck.Reader{
		Part: func(ctx context.Context, p layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error) {
			if err := doc.open(ctx); err != nil {
				return nil, err
			}
			return j.Part(ctx, doc, j.budget, p, part, s)
		},
		Split: func(pages []layout.Page) gazette.Issue { return segment.Split(pages, hints) },
	}
	changed, err := again.Pages(ctx, pages)
	if (errs.Is(err, errs.Unavailable) || errors.Is(err, ocr.ErrSpent)) && ctx.Err() == nil {
		j.log.WarnContext(ctx, "contradicted places were not read again", "error", err)
		err = nil
	}
	for i := range pages {
		pages[i].Lines, pages[i].Aside = nil, nil // cut arranges all pages again, and their lines take much memory
	}
	if err != nil || len(changed) == 0 {
		return err
	}
	j.log.InfoContext(ctx, "places read again", "pages", changed)
	return j.replace(ctx, slices.DeleteFunc(slices.Clone(pages), func(p layout.Page) bool { return !slices.Contains(changed, p.Number) }))
}

// replace saves pages instead of the stored pages with the same numbers.
func (j *job) replace(ctx context.Context, pages []layout.Page) error {
	stored := make([]postgres.StoredPage, 0, len(pages))
	for _, p := range pages {
		roundPlaces(p.Words)
		content, err := encode(p)
		if err != nil {
			return fmt.Errorf("page %d: %w", p.Number, err)
		}
		stored = append(stored, postgres.StoredPage{Number: p.Number, Source: p.Source, Content: content})
	}
	return j.DB.ReplacePages(ctx, j.ID, j.Attempt, stored)
}

// lateDocument is the file of a job; it is opened when it is first needed.
type lateDocument struct {
	Document
	job     *job
	release func()
}

func (d *lateDocument) open(ctx context.Context) error {
	if d.Document != nil {
		return nil
	}
	path, release, err := d.job.Blobs.Local(ctx, d.job.SHA256)
	if err != nil {
		return err
	}
	doc, err := d.job.Read(ctx, path)
	if err != nil {
		release()
		return fmt.Errorf("open %s: %w", d.job.SHA256, err)
	}
	d.Document, d.release = doc, release
	return nil
}

func (d *lateDocument) close() error {
	if d.Document == nil {
		return nil
	}
	defer d.release()
	return d.Close()
}
