package ingestion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/recheck"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// readAll reads and saves the pages, and then reads misread places of scanned pages again.
func (j *job) readAll(ctx context.Context) error {
	if err := j.readPages(ctx); err != nil {
		return err
	}
	return j.readAgain(ctx)
}

// readPages reads and saves the pages that no earlier attempt has saved.
func (j *job) readPages(ctx context.Context) (err error) {
	done, err := j.DB.DonePages(ctx, j.ID)
	if err != nil {
		return err
	}
	if j.PagesTotal > 0 && len(done) >= j.PagesTotal {
		return nil
	}
	path, release, err := j.Blobs.Local(ctx, j.SHA256)
	if err != nil {
		return err
	}
	defer release()
	doc, err := j.Read(ctx, path)
	if err != nil {
		return fmt.Errorf("open %s: %w", j.SHA256, err)
	}
	defer func() { err = orCloseError(err, doc.Close()) }()
	return j.readFrom(ctx, doc, done)
}

// orCloseError returns err, or, if that is nil, the error of closing.
func orCloseError(err, closed error) error {
	if err != nil {
		return err
	}
	return closed
}

// readFrom refuses a file with more than MostPages pages, and reads the pages that are not
// done yet, batch by batch.
func (j *job) readFrom(ctx context.Context, doc Document, done []int) error {
	j.PagesTotal, j.PagesAbsent = doc.Pages(), doc.Missing()
	if j.PagesTotal <= 0 {
		return errs.New(errs.Unprocessable, "Ce PDF n’a aucune page.")
	}
	if j.MostPages > 0 && j.PagesTotal > j.MostPages {
		return errs.Newf(errs.Unprocessable, "Ce PDF a %d pages, la limite est de %d (VIGUEUR_WORKER_FILE_PAGES).", j.PagesTotal, j.MostPages)
	}
	// The number is stored before the first page is read, for people who watch the
	// progress.
	if err := j.DB.CountPages(ctx, j.ID, j.Attempt, j.PagesTotal, j.PagesAbsent); err != nil {
		return err
	}
	for _, b := range batches(j.PagesTotal, done, Checkpoint) {
		if err := j.readBatch(ctx, doc, b[0], b[1]); err != nil {
			return fmt.Errorf("pages %d to %d of %s: %w", b[0], b[1], j.SHA256, err)
		}
	}
	return nil
}

// batches divides the pages from 1 to total into runs of at most size pages, each given by
// its first and last page. It skips the pages in done, which are in order.
func batches(total int, done []int, size int) (runs [][2]int) {
	for n := 1; n <= total; n++ {
		if len(done) > 0 && done[0] == n {
			done = done[1:]
			continue
		}
		last := len(runs) - 1
		if last >= 0 && runs[last][1] == n-1 && n-runs[last][0] < size {
			runs[last][1] = n
			continue
		}
		runs = append(runs, [2]int{n, n})
	}
	return runs
}

// readBatch reads and saves a run of pages, whose first and last numbers are given. The
// pages with a text layer are saved together. A page that needs OCR is saved as soon as it
// is recognized, because OCR takes about a second for each page.
func (j *job) readBatch(ctx context.Context, doc Document, start, end int) error {
	pages, err := doc.Read(ctx, start, end)
	if err != nil {
		return err
	}
	var ready, scans []layout.Page
	for _, p := range pages {
		if p.Layer() != layout.Good {
			scans = append(scans, p)
			continue
		}
		ready = append(ready, p)
	}
	if err := j.save(ctx, ready...); err != nil {
		return err
	}
	if len(scans) == 0 {
		return nil
	}
	return j.recognize(ctx, doc, scans)
}

// recognize reads scanned pages by OCR. Without OCR they stay unread: the other pages are
// useful without them, and a later retry reads only the unread ones.
func (j *job) recognize(ctx context.Context, doc Document, scans []layout.Page) error {
	if j.OCR == nil {
		j.unread = "La reconnaissance de caractères n’est pas en service."
		return nil
	}
	layers := map[int]layout.Page{}
	for _, p := range scans {
		layers[p.Number] = p
	}
	var unsaved error // distinguishes a store that is down from a missing tool
	err := j.OCR(ctx, doc, j.budget, scans, func(p layout.Page) error {
		unsaved = j.save(ctx, layout.Better(layers[p.Number], p))
		return unsaved
	})
	if unsaved == nil && errs.Is(err, errs.Unavailable) && ctx.Err() == nil {
		j.unread = errs.Public(err)
		return nil
	}
	if errors.Is(err, ocr.ErrSpent) && ctx.Err() == nil {
		return j.overspent(ctx, err)
	}
	return err
}

// overspent returns the error of a file whose budget for recognition is spent. It says how many
// pages are kept, because a retry continues after them with a new budget.
func (j *job) overspent(ctx context.Context, cause error) error {
	done, err := j.DB.DonePages(ctx, j.ID)
	if err != nil {
		return err
	}
	return errs.Wrap(errs.Unprocessable, fmt.Sprintf("La reconnaissance des pages numérisées de ce PDF a pris %s, la limite d’un fichier (VIGUEUR_WORKER_FILE_OCR). "+
		"Pages lues et gardées : %d sur %d. Reprenez le fichier pour lire les autres, avec autant de temps ; si ce n’est pas une gazette, supprimez-le.",
		frenchDuration(j.MostOCR), len(done), j.PagesTotal), cause)
}

// frenchDuration writes a duration as « 5 h », « 90 min » or « 30 s ».
func frenchDuration(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// save stores pages: the checkpoint of an attempt.
func (j *job) save(ctx context.Context, pages ...layout.Page) error {
	stored := make([]postgres.StoredPage, 0, len(pages))
	for _, p := range pages {
		roundPlaces(p.Words)
		content, err := encode(p)
		if err != nil {
			return fmt.Errorf("page %d: %w", p.Number, err)
		}
		stored = append(stored, postgres.StoredPage{Number: p.Number, Source: p.Source, Content: content, Unread: p.Fault != ""})
	}
	if err := j.DB.SavePages(ctx, j.ID, j.Attempt, stored, j.PagesTotal); err != nil {
		return err
	}
	if err := j.checkBudget(ctx); err != nil {
		return err
	}
	j.read += len(pages)
	j.kept = append(j.kept, pages...)
	return nil
}

// roundPlaces rounds the positions of words as saving does, so that segmenting the pages in
// memory gives the same result as segmenting the saved ones.
func roundPlaces(words []layout.Word) {
	for i := range words {
		w := &words[i]
		for _, x := range []*float64{&w.Rect[0], &w.Rect[1], &w.Rect[2], &w.Rect[3], &w.Size} {
			*x = math.Round(*x*100) / 100
		}
	}
}

// checkBudget checks that the words of the file, including those of earlier attempts, are not
// more than a worker can segment.
func (j *job) checkBudget(ctx context.Context) error {
	if j.MostBytes <= 0 {
		return nil
	}
	bytes, err := j.DB.PageBytes(ctx, j.ID)
	if err == nil && bytes > j.MostBytes {
		err = errs.Newf(errs.Unprocessable, "Les mots lus dans ce PDF dépassent %d Mio (VIGUEUR_WORKER_FILE_WORDS).", j.MostBytes>>20)
	}
	return err
}

// pages returns every page of the file that was read, in order: those in memory, or all
// from the store if an earlier attempt read some.
func (j *job) pages(ctx context.Context) ([]layout.Page, error) {
	if len(j.kept) == j.PagesTotal {
		slices.SortFunc(j.kept, func(a, b layout.Page) int { return a.Number - b.Number })
		return j.kept, nil
	}
	j.kept = nil
	stored, err := j.DB.LoadPages(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	pages := make([]layout.Page, len(stored))
	for i, s := range stored {
		if pages[i], err = decode(s.Content); err != nil {
			return nil, fmt.Errorf("page %d: %w", s.Number, err)
		}
	}
	return pages, nil
}

// rereadLimit is the maximum number of pages of a file whose places are read again. For each place the
// whole file is cut again, and is in memory twice.
const rereadLimit = 500

// readAgain compares a sample of the lines of text layers with what the pages show, reads places of scanned pages a second
// time if the texts cut from the pages show that they were misread, and saves the pages that change. A file with edits by a person is not read again,
// because the edits name its lines. A missing tool and a spent budget are no errors, because all pages have been read
// once.
func (j *job) readAgain(ctx context.Context) (err error) {
	if j.Part == nil || j.unread != "" || j.PagesTotal > rereadLimit {
		return nil
	}
	pages, err := j.pages(ctx)
	if err != nil {
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
	changed, err := again.Layers(ctx, pages)
	if err == nil {
		var improved []int
		improved, err = again.Pages(ctx, pages)
		changed = append(changed, improved...)
	}
	if (errs.Is(err, errs.Unavailable) || errors.Is(err, ocr.ErrSpent)) && ctx.Err() == nil {
		j.log.WarnContext(ctx, "pages were not read again", "error", err)
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
