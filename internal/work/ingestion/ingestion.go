// Package ingestion adds one gazette file to the catalogue: its pages are read, segmented
// into texts, articles and passages, and saved.
//
// An ingestion is a row. queued → running, then exactly one of
//
//	done       every text is in the catalogue
//	review     texts with doubtful metadata wait for a person, the others are in the catalogue
//	failed     with a French sentence that says why
//	cancelled  on request
//
// or queued again after an error of a store or a tool. Run may crash at any instruction:
// pages are saved as they are read (a checkpoint every 20) and never read twice, the texts
// are saved in one transaction under ids derived from the file's content, so that a second
// run writes the same rows, and the state is written last. Package work describes the
// attempts.
//
// When a file is segmented again (Resegment), as after an edit of its lines, the pages are not
// read again: the saved pages are segmented with the edits.
//
// An error of the file (not a PDF, protected, too many pages, no law in it) ends the
// ingestion. While a store or tool is down it is retried after a delay, until MaxTries
// attempts have failed. A panic of the code that parses the file fails the ingestion and
// does not crash the worker.
package ingestion

import (
	"context"
	"image"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/trace"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/lease"
	"vigueur/internal/work/queue"
)

// The sizes and times of an ingestion.
const (
	// Checkpoint is the number of pages that are read between two saves.
	Checkpoint = 20
	// MaxTries is the number of attempts, failed because a store or a tool is down, after
	// which the file ends as failed.
	MaxTries = 5
)

// Renderer renders pages.
type Renderer interface {
	// Render renders page n in gray at the given resolution.
	Render(ctx context.Context, n int, dpi float64) (*image.Gray, error)
}

// Document is an open PDF.
type Document interface {
	Renderer
	// Pages returns the number of pages that can be read.
	Pages() int
	// Missing returns the number of further pages that the file claims to have.
	Missing() int
	// Read returns the pages from from to to, both counted from 1 and inclusive. A page
	// that cannot be read has the reason in its Fault.
	Read(ctx context.Context, from, to int) ([]layout.Page, error)
	// Close ends the reader.
	Close() error
}

// Blobs stores the files.
type Blobs interface {
	// Local returns a path where the file can be read until release is called.
	Local(ctx context.Context, sha string) (path string, release func(), err error)
}

// Runner ingests files. Its fields are set once, before the first Run.
type Runner struct {
	DB    *postgres.DB
	Blobs Blobs
	// Read opens the PDF at path.
	Read func(ctx context.Context, path string) (Document, error)
	// OCR recognizes pages of doc within the budget and passes each to yield, one call at a time.
	// Unavailable if the tool is missing, ocr.ErrSpent if the budget runs out. nil: no OCR.
	OCR func(ctx context.Context, doc Renderer, budget *ocr.Budget, pages []layout.Page, yield func(layout.Page) error) error
	// Part recognizes a part of a page of doc in another way, as ocr.Reader.Part does. nil: no
	// page is read twice.
	Part func(ctx context.Context, doc Renderer, budget *ocr.Budget, p layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error)
	// MostOCR limits the time for recognizing the pages of a file, summed over pages and over the
	// attempts since the file was added or retried; 0: no limit. A file that exceeds it fails.
	MostOCR time.Duration
	// MostPages and MostBytes limit the pages of a file, and the bytes of their words
	// with their positions; 0: no limit. A file that exceeds one fails.
	MostPages int
	MostBytes int64
	Log       *slog.Logger
	Now       func() time.Time
	// Concurrency is the number of files that a process reads at once.
	Concurrency int
	Poll        time.Duration // interval at which an idle process looks for files
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
	// Backoff is the delay after a number of failures; nil: Backoff.
	Backoff func(failures int) time.Duration
}

// Backoff is the delay after a number of failures: 4 s, doubled with each, up to a minute.
func Backoff(failures int) time.Duration { return lease.Backoff(failures, 4*time.Second, time.Minute) }

// job is one attempt at one file.
type job struct {
	*Runner
	postgres.Ingestion
	log     *slog.Logger
	budget  *ocr.Budget   // of recognizing pages; nil: no limit
	read    int           // number of pages read by this attempt
	kept    []layout.Page // pages of this attempt that were saved, so that they need not be loaded again
	unread  string        // why scanned pages were skipped, French
	missing string        // which pages could not be read and why, French; "" if none
	state   string        // the state to write when the attempt is done
	took    struct{ reading, cutting, saving time.Duration }
}

// Kind describes gazette files.
func (r *Runner) Kind() work.Kind {
	k := work.Kind{Kind: queue.Ingestions, Concurrency: r.Concurrency, Poll: r.Poll, Tries: MaxTries, Backoff: r.Backoff, Renew: r.Renew, Log: r.Log}
	if k.Backoff == nil {
		k.Backoff = Backoff
	}
	return k
}

// Due selects files that no worker holds.
func (r *Runner) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return r.DB.DueIngestions(ctx, limit)
}

// stage records the stage that the attempt has reached.
func (j *job) stage(ctx context.Context, name string) error {
	j.log.DebugContext(ctx, "ingestion stage", "stage", name)
	return j.DB.SetStage(ctx, j.ID, j.Attempt, name)
}

// Work runs the stages and sets the state to write at the end.
func (j *job) Work(ctx context.Context) error {
	if j.CancelRequested {
		return work.ErrCancelled
	}
	if !j.Resegment {
		if err := j.stage(ctx, "pages"); err != nil {
			return err
		}
		if err := j.timeStep(ctx, "read", &j.took.reading, j.readAll); err != nil {
			return err
		}
	}
	if err := j.stage(ctx, "texts"); err != nil {
		return err
	}
	var cut postgres.Segmentation
	err := j.timeStep(ctx, "cut", &j.took.cutting, func(ctx context.Context) (err error) {
		cut, err = j.cut(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if err := j.stage(ctx, "save"); err != nil {
		return err
	}
	err = j.timeStep(ctx, "save", &j.took.saving, func(ctx context.Context) error { return j.DB.SaveSegmentation(ctx, j.ID, j.Attempt, cut) })
	if err != nil {
		return err
	}
	// The passage index follows the catalogue by itself. The store is asked which texts
	// wait in review, because a text may also be doubtful because of another text in the
	// catalogue.
	waiting, err := j.DB.Reviews(ctx, j.ID)
	j.state = "done"
	if len(waiting) > 0 {
		j.state = "review"
	}
	return err
}

// timeStep runs a step as a span of the trace and records how long it took.
func (j *job) timeStep(ctx context.Context, name string, took *time.Duration, step func(ctx context.Context) error) error {
	began := j.Now()
	ctx, span := trace.Start(ctx, name)
	err := step(ctx)
	span.End(err)
	*took = j.Now().Sub(began)
	return err
}
