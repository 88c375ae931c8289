package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
	"vigueur/internal/queue"
)

// window is how many waiting files are looked at each time; of more, the next
// look takes those that follow.
const window = 1000

// meter shows the progress of files: a bar on a terminal, lines elsewhere.
type meter interface {
	// admit tells that n files were taken in, of so many, and which is next.
	admit(n, of int, next string)
	show(files []*added)
	// say prints a sentence beside the progress.
	say(sentence string)
	end()
}

// follow waits until no file is pending. Only the rows are looked at, so that it
// does not matter which worker does the work, or how often it begins again.
func (r *adding) follow(ctx context.Context) error {
	m := r.meter()
	defer m.end()
	w := &watch{adding: r, meter: m, moved: time.Now(), heard: time.Now()}
	tick := time.NewTicker(r.poll)
	defer tick.Stop()
	for {
		if err := w.look(ctx); err != nil {
			return err
		}
		m.show(r.files)
		if !anyPending(r.files) {
			return nil
		}
		w.worry()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (r *adding) meter() meter {
	if r.terminal {
		return newBar(r.err)
	}
	return newLines(r.err)
}

func anyPending(files []*added) bool {
	for _, f := range files {
		if f.pending() {
			return true
		}
	}
	return false
}

// watch notices when nothing moves.
type watch struct {
	*adding
	meter meter
	moved time.Time // when a row last changed
	heard time.Time // when the database last answered
	idle  bool      // it was said that there is no worker
	slow  bool      // it was said that nothing moves
	down  bool      // it was said that the database is silent
	next  int       // where in the files the next look begins
}

// look reads the rows that may have changed. A database that is silent for a
// while is waited for: the rows are safe.
func (w *watch) look(ctx context.Context) error {
	looked := w.due()
	ids := make([]uuid.UUID, len(looked))
	for i, f := range looked {
		ids[i] = *f.Ingestion
	}
	rows, err := w.db.IngestionProgress(ctx, ids)
	for _, f := range looked {
		if err == nil {
			err = w.see(ctx, f, rows)
		}
	}
	if errs.Is(err, errs.Unavailable) && ctx.Err() == nil && time.Since(w.heard) < w.stalled {
		if !w.down {
			w.meter.say("PostgreSQL ne répond plus ; nouvel essai…")
		}
		w.down = true
		return nil
	}
	if err == nil {
		w.heard, w.down = time.Now(), false
	}
	return err
}

// due gives the pending files that this look takes.
func (w *watch) due() (looked []*added) {
	for n := range w.files {
		at := (w.next + n) % len(w.files)
		if len(looked) == window {
			w.next = at
			break
		}
		if w.files[at].pending() {
			looked = append(looked, w.files[at])
		}
	}
	return looked
}

// see notes how far a file has come, and reads its row whole once it has ended.
func (w *watch) see(ctx context.Context, f *added, rows map[uuid.UUID]postgres.Progress) error {
	row, there := rows[*f.Ingestion]
	if !there {
		f.State, f.Reason = "cancelled", "L’ingestion a été supprimée."
		return nil
	}
	if row.State != f.State || row.Stage != f.stage || row.PagesDone != f.PagesDone {
		w.moved, w.slow = time.Now(), false
	}
	if row.State != "queued" && row.State != "running" {
		whole, err := w.db.Ingestion(ctx, *f.Ingestion)
		if errs.Is(err, errs.NotFound) {
			return nil // the next look tells
		}
		if err == nil {
			w.take(f, whole)
		}
		return err
	}
	f.State, f.stage, f.PagesDone, f.PagesTotal = row.State, row.Stage, row.PagesDone, row.PagesTotal
	return nil
}

// worry says, once, that there is no worker, or that nothing moves.
func (w *watch) worry() {
	still := time.Since(w.moved)
	if !w.idle && still > w.stalled/5 && idle(w.queue, queue.Ingestions) {
		w.idle, w.slow = true, true
		w.meter.say(noWorker)
	}
	if !w.slow && still > w.stalled {
		w.slow = true
		w.meter.say(fmt.Sprintf("Rien n’avance depuis %.0f s : les workers sont peut-être occupés par d’autres fichiers (ingest status).", w.stalled.Seconds()))
	}
}
