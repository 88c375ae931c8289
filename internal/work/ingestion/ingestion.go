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
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/tick"
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
	Read(ctx context.Context, start, end int) ([]layout.Page, error)
	// Close ends the reader.
	Close() error
}

// Blobs stores the files.
type Blobs interface {
	// Local returns a path where the file can be read until release is called.
	Local(ctx context.Context, sha string) (path string, release func(), err error)
}

// GazetteReader ingests files. Its fields are set once, before the first Run.
type GazetteReader struct {
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
	*GazetteReader
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

// Plan describes gazette files.
func (r *GazetteReader) Plan() work.Plan {
	k := work.Plan{Kind: queue.Ingestions, Concurrency: r.Concurrency, Poll: r.Poll, Tries: MaxTries, Backoff: r.Backoff, Renew: r.Renew, Log: r.Log}
	if k.Backoff == nil {
		k.Backoff = Backoff
	}
	return k
}

// Due selects files that no worker holds.
func (r *GazetteReader) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
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

// Lease begins an attempt at a file.
func (r *GazetteReader) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	row, err := r.DB.StartIngestion(ctx, id)
	if err != nil {
		return nil, err
	}
	j := &job{GazetteReader: r, Ingestion: row, log: r.Log.With("ingestion", id, "attempt", row.Attempt)}
	if r.MostOCR > 0 {
		j.budget = ocr.NewBudget(r.MostOCR, row.Recognition)
	}
	return j, nil
}

// Row identifies the attempt.
func (j *job) Row() work.Row {
	return work.Row{ID: j.ID, Attempt: j.Attempt, Failures: j.Failures, Trace: j.Trace}
}

// DoneAs returns « done », or « review » when a text waits for a person.
func (j *job) DoneAs() work.Outcome { return work.Outcome(j.state) }

// Watchers returns a watcher that stops the attempt when its cancellation was requested.
func (j *job) Watchers() []func(held context.Context, stop context.CancelCauseFunc) {
	return []func(context.Context, context.CancelCauseFunc){j.watchCancel}
}

// Excuse records that the worker did not crash.
func (j *job) Excuse(ctx context.Context) error { return j.DB.ExcuseIngestion(ctx, j.ID, j.Attempt) }

// Renew renews the lease and records the time of recognition, of which a killed worker thus loses no
// more than an interval between two renewals; stop is ErrCancelled once cancellation was requested.
func (j *job) Renew(ctx context.Context) (stop, err error) {
	cancel, err := j.DB.KeepIngestion(ctx, j.ID, j.Attempt, j.budget.Used())
	if cancel {
		stop = work.ErrCancelled
	}
	return stop, err
}

// cancelPoll is the interval at which an attempt checks whether its cancellation was
// requested. A person waits for it, and the lease is renewed less often.
const cancelPoll = 400 * time.Millisecond

// watchCancel ends the attempt soon after cancellation was requested. Errors of the store
// are left to the renewal of the lease.
func (j *job) watchCancel(held context.Context, stop context.CancelCauseFunc) {
	for range tick.Every(held, cancelPoll) {
		if asked, err := j.DB.CancelRequested(held, j.ID); err == nil && asked {
			stop(work.ErrCancelled)
			return
		}
	}
}

// Attrs returns the attributes of the attempt's log record.
func (j *job) Attrs() []slog.Attr {
	return []slog.Attr{slog.Any("ingestion", j.ID), slog.Int("pages_read", j.read),
		slog.Duration("reading", j.took.reading), slog.Duration("cutting", j.took.cutting), slog.Duration("saving", j.took.saving)}
}

// Conclude writes to the row how the attempt ended, with a French sentence about a failure, a
// postponement or missing pages. If pages were recognized since the last renewal, it first saves the
// time that this took, through Renew.
func (j *job) Conclude(ctx context.Context, end work.End) error {
	if j.budget.Used() > j.Recognition {
		if _, err := j.Renew(ctx); err != nil {
			return err
		}
	}
	switch end.Outcome {
	case work.Released:
		return j.DB.ReleaseIngestion(ctx, j.ID, j.Attempt)
	case work.PutBack:
		return j.DB.PutBackIngestion(ctx, j.ID, j.Attempt, errs.Public(end.Err), end.After)
	case work.Cancelled:
		return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, "cancelled", "")
	case work.Failed:
		reason := errs.Public(end.Err)
		if errs.Is(end.Err, errs.Internal) {
			reason = "Une erreur interne a interrompu le traitement de ce fichier ; le journal du worker en donne le détail."
		}
		return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, "failed", reason)
	}
	return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, j.state, j.missing)
}

// gzipWriters are pooled, because a new writer allocates more memory than a page takes.
var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, packing) // the level is valid
	return z
}}

// packing is the compression level. Level 4 of this library takes a third less time than level 1 of the standard
// library, and compresses better; levels 1 to 3 of this library compress less well.
const packing = 4

// Errors of stored bytes.
var (
	errTruncated = errors.New("it is cut off")
	errFormat    = errors.New("its format is unknown")
)

// formatVersion is the first byte of a stored page. The length of the page's JSON without
// its words follows, then that JSON, then the words.
const formatVersion = 1

// encode returns a page as it is stored: compressed, without the lines that Arrange makes.
func encode(p layout.Page) ([]byte, error) {
	words := p.Words
	p.Words, p.Lines, p.Aside = nil, nil, nil
	for i := range words {
		w := &words[i]
		// PostgreSQL accepts no NUL in a text, and a NUL prints nothing.
		if strings.IndexByte(w.Text, 0) >= 0 {
			w.Text = strings.ReplaceAll(w.Text, "\x00", "")
		}
		w.Text = strings.ToValidUTF8(w.Text, "\ufffd")
	}
	empty := func(w layout.Word) bool { return w.Text == "" }
	if slices.ContainsFunc(words, empty) {
		words = slices.DeleteFunc(slices.Clone(words), empty)
	}
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	plain := binary.AppendUvarint([]byte{formatVersion}, uint64(len(head)))
	plain = layout.AppendWords(append(plain, head...), words)
	var b bytes.Buffer
	z, _ := gzipWriters.Get().(*gzip.Writer) // the pool contains only writers
	defer gzipWriters.Put(z)
	z.Reset(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decode is the inverse of encode. It ignores unknown fields of a later version.
func decode(content []byte) (p layout.Page, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("stored page: %w", err)
		}
	}()
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return p, err
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		return p, err
	}
	if len(plain) == 0 || plain[0] != formatVersion {
		return p, errFormat
	}
	n, size := binary.Uvarint(plain[1:])
	if size <= 0 || n > uint64(len(plain)-1-size) {
		return p, errTruncated
	}
	head, words := plain[1+size:][:n], plain[1+size:][n:]
	if err := json.Unmarshal(head, &p); err != nil {
		return p, err
	}
	p.Words, err = layout.ReadWords(words)
	return p, err
}
