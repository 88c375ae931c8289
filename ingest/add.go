package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/admission"
)

// add runs « add ».
func (a *app) add(ctx context.Context, in *input) error {
	return a.withAdding(ctx, in, func(r *adding) error { return r.run(ctx) })
}

// withAdding calls f with the server that takes files.
func (a *app) withAdding(ctx context.Context, in *input, f func(r *adding) error) error {
	return a.withServer(ctx, func(s *server) error {
		if s.ready != nil {
			if err := s.ready(ctx); err != nil {
				return err
			}
		}
		given := func(name string) bool { return in.Flags[name] != nil && in.has(name) }
		metadata := in.metadata()
		if given("sample") {
			metadata["exemple"] = true
		}
		return f(&adding{app: a, input: in, noWait: given("no-wait"), retry: given("retry"), dryRun: given("dry-run"), server: s, metadata: metadata})
	})
}

// adding is one run of « ingest add ».
type adding struct {
	*app
	*input
	noWait, retry, dryRun bool
	server                *server
	metadata              map[string]any // the operator's metadata for every file
	files                 []*added
	say                   func(sentence string) // tells that the line was cut off; nil: nothing is told
}

// added is the state of one file.
type added struct {
	File       string                      `json:"file"`
	SHA256     string                      `json:"sha256,omitempty"`
	Ingestion  *uuid.UUID                  `json:"ingestion_id"`
	Known      bool                        `json:"known"` // whether its bytes were added before
	State      string                      `json:"state"`
	PagesDone  int                         `json:"pages_done"`
	PagesTotal int                         `json:"pages_total"`
	Articles   int                         `json:"articles"`
	Reason     string                      `json:"reason"`
	Documents  []gazettes.IngestedTextBody `json:"documents"`

	size    int64
	sent    bool // whether this run began to send it
	stage   string
	updated string // when the row changed last, by the server's clock
	texts   int
	base    int // number of pages that were done before this run began to follow the file
}

// pending reports whether a worker has not finished the file yet.
func (f *added) pending() bool { return f.State == "queued" || f.State == "running" }

// failed reports whether the file requires exit code 1.
func (f *added) failed() bool {
	return f.State == refused || f.State == "failed" || f.State == "cancelled"
}

// take copies the row into f. It keeps the texts only if they will be printed, because a
// folder may have thousands of files.
func (r *adding) take(f *added, i gazettes.IngestionBody) {
	f.Ingestion, f.State, f.stage, f.updated = &i.ID, i.State, i.Stage, i.UpdatedAt
	f.PagesDone, f.PagesTotal, f.Articles, f.texts = i.PagesDone, i.PagesTotal, articlesOf(i), len(i.Documents)
	if r.json {
		f.Documents = append([]gazettes.IngestedTextBody{}, i.Documents...)
	}
	if i.Error != nil || !f.Known {
		f.Reason = value(i.Error)
	}
}

// value returns what s points to, "" for nil.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// run adds the files, follows them and prints a summary.
func (r *adding) run(ctx context.Context) error {
	if err := r.admitAll(ctx, r.args); err != nil {
		return r.interrupted(ctx, err)
	}
	return r.await(ctx)
}

// await follows the files to their end, if requested, and prints a summary.
func (r *adding) await(ctx context.Context) error {
	if !r.noWait && !r.dryRun {
		if err := r.follow(ctx); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	if err := r.summary(); err != nil {
		return err
	}
	for _, f := range r.files {
		if f.failed() {
			return quiet{exitFailed}
		}
	}
	return nil
}

// interrupted reports on Ctrl-C that the jobs go on.
func (r *adding) interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	going := 0
	for _, f := range r.files {
		if f.pending() {
			going++
		}
	}
	if going == 0 {
		return err
	}
	fmt.Fprintf(r.err, "Interrompu. Le traitement continue sans vous (%s) ; suivez-le : ingest status\n"+
		"La même commande, relancée, reprend où elle en était.\n", count(going, "fichier"))
	return quiet{exitInterrupted}
}

// candidate is a path that was found, or the error that occurred instead.
type candidate struct {
	path string
	err  error
}

// collect lists the files that the arguments name: the given files, and the PDF files in
// the given folders, sorted by name.
func collect(args []string) (found []candidate) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			found = append(found, candidate{path: arg}) // an error is reported when the file is opened
			continue
		}
		inside := within(arg)
		if len(inside) == 0 {
			inside = []candidate{{arg, errs.New(errs.NotFound, "Aucun fichier PDF dans ce dossier.")}}
		}
		found = append(found, inside...)
	}
	return found
}

// within lists the PDF files below a folder, and the folders that could not be read.
func within(root string) (found []candidate) {
	// The callback never returns an error, so WalkDir returns none.
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			found = append(found, candidate{path, errs.Wrap(errs.Forbidden, "Ce dossier ne peut pas être lu : vérifiez les droits d’accès.", err)})
		case !e.IsDir() && strings.EqualFold(filepath.Ext(path), ".pdf"):
			found = append(found, candidate{path: path})
		}
		return nil
	})
	return found
}

// admitAll adds every file, several at once on another machine. It ends early only if a store is down, or on Ctrl-C.
func (r *adding) admitAll(ctx context.Context, args []string) error {
	found := collect(args)
	m := &sharedMeter{meter: r.meter(), of: len(found)}
	defer m.end()
	r.say = m.say
	files := make([]*added, len(found))
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.server.atOnce))
	for i, c := range found {
		f := &added{File: terminal.Clean(c.path), State: refused, Documents: []gazettes.IngestedTextBody{}}
		group.Go(func() error {
			if all.Err() != nil {
				return all.Err()
			}
			m.begin(f)
			defer m.ended()
			err := c.err
			if err == nil {
				err = r.admit(all, f, c.path, func(bytes int64) { m.sent(f, bytes) })
			}
			switch kind := errs.KindOf(err); {
			case err == nil:
			case all.Err() != nil:
				return all.Err()
			case errors.As(err, new(wrongMetadata)):
				return err
			case kind == errs.Unauthorized:
				return err // that of every file
			case kind == errs.Unavailable || kind == errs.Internal:
				return fmt.Errorf("%s: %w", f.File, err)
			default:
				f.Reason = errs.Public(err)
			}
			f.base, files[i] = f.PagesDone, f
			return nil
		})
	}
	err := group.Wait()
	r.files = slices.DeleteFunc(files, func(f *added) bool { return f == nil })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// sharedMeter shows the progress of files that are added at once.
type sharedMeter struct {
	mu sync.Mutex
	meter
	done, of int
}

func (m *sharedMeter) begin(f *added) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.admit(m.done, m.of, f.File)
}

func (m *sharedMeter) ended() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
}

// sent shows how much of a file has arrived.
func (m *sharedMeter) sent(f *added, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.admit(m.done, m.of, fmt.Sprintf("%s (%d/%d Mio)", f.File, bytes>>20, f.size>>20))
}

func (m *sharedMeter) say(sentence string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.meter.say(sentence)
}

// admit adds one file, or reports what is known about it. Where the line is cut off it goes on when it is back; it gives
// up after a time in which nothing arrived. sent is called with the number of bytes that have arrived.
func (r *adding) admit(ctx context.Context, f *added, path string, sent func(bytes int64)) error {
	file, err := admission.Look(ctx, path)
	if err != nil {
		return err
	}
	f.SHA256, f.size = file.SHA256, file.Size
	arrived, told := int64(-1), false
	for heard := time.Now(); ; {
		previous := arrived
		err := r.admitOnce(ctx, f, file, func(bytes int64) { arrived = bytes; sent(bytes) })
		if arrived > previous {
			heard = time.Now()
		}
		if err == nil || ctx.Err() != nil || !client.MayPass(err) || time.Since(heard) >= r.server.patience {
			return err
		}
		if !told && r.say != nil {
			r.say(errs.Public(err) + " Nouvel essai…")
		}
		told = true
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * r.poll):
		}
	}
}

// admitOnce adds one file without waiting. The server is asked first whether it has these bytes, so that they are not
// sent twice.
func (r *adding) admitOnce(ctx context.Context, f *added, file admission.File, sent func(bytes int64)) error {
	row, err := r.server.FileOf(ctx, file.SHA256)
	switch {
	case err != nil:
		return err
	case row != nil:
		return r.admitKnown(ctx, f, *row, file)
	case r.dryRun:
		f.State = wanted
		return nil
	}
	f.sent = true
	made, err := r.server.Upload(ctx, file, r.metadata, sent)
	switch {
	case errs.Is(err, errs.Conflict): // the same bytes were added, or are being sent, concurrently
		row, away := r.server.FileOf(ctx, file.SHA256)
		switch {
		case away != nil:
			return away
		case row == nil:
			return errs.Wrap(errs.Unavailable, errs.Public(err), err)
		}
		f.sent = false
		return r.admitKnown(ctx, f, *row, file)
	case errs.Is(err, errs.Invalid):
		return wrongMetadata{err}
	case err == nil:
		r.take(f, made)
	}
	return err
}

// wrongMetadata is the error of what was said of all files.
type wrongMetadata struct{ error }

// Unwrap returns the error that has the kind.
func (w wrongMetadata) Unwrap() error { return w.error }

// admitKnown reports that the bytes were added before. If requested, it retries a file that
// did not end successfully.
func (r *adding) admitKnown(ctx context.Context, f *added, row gazettes.IngestionBody, file admission.File) error {
	if f.sent { // it arrived, and only the reply was lost
		r.take(f, row)
		return nil
	}
	f.Known = true
	f.Reason = fmt.Sprintf(known+" : mêmes octets que %s, ajouté le %s.", terminal.Line(row.Filename), momentOf(row.CreatedAt))
	ended := row.State == "failed" || row.State == "cancelled" || r.retry && endedState(row.State) && row.Unread > 0
	switch {
	case ended && !r.retry:
		r.take(f, row)
		f.Reason = strings.TrimSpace(value(row.Error) + " (Déjà connu ; « ingest add --retry » le reprend.)")
	case ended && r.dryRun:
		r.take(f, row)
		f.State = wanted
	case !ended:
		r.take(f, row)
	default:
		// The file is sent once more, because its bytes may be what is missing.
		if _, err := r.server.Upload(ctx, file, nil, func(int64) {}); err != nil && !errs.Is(err, errs.Conflict) {
			return err
		}
		return r.again(ctx, f, row.ID)
	}
	return nil
}

// again queues a failed or cancelled file, with the operator's new metadata.
func (r *adding) again(ctx context.Context, f *added, id uuid.UUID) error {
	var said any
	if len(r.metadata) > 0 {
		said = r.metadata
	}
	var row gazettes.IngestionBody
	if err := r.server.Call(ctx, http.MethodPost, "/admin/ingestions/"+id.String()+"/retry", nil, said, &row); err != nil {
		return err
	}
	r.take(f, row)
	return nil
}

// endedState reports whether no worker will touch a file in this state.
func endedState(state string) bool { return state != "queued" && state != "running" }
