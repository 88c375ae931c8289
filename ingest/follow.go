package main

import (
	"context"
	"fmt"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/queue"
)

// window is how many waiting files are looked at each time; workers take files
// up in their order, so those that move are among the first.
const window = 8

// meter shows the progress of files: a bar on a terminal, lines elsewhere.
type meter interface {
	show(files []*added)
	// say prints a sentence beside the progress.
	say(sentence string)
	end()
}

// follow waits until no file is pending. Only the rows are looked at, so that it
// does not matter which worker does the work, or how often it begins again.
func (r *adding) follow(ctx context.Context) error {
	var m meter = newLines(r.err)
	if r.terminal {
		m = newBar(r.err)
	}
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
}

// look reads the rows that may have changed. A database that is silent for a
// while is waited for: the rows are safe.
func (w *watch) look(ctx context.Context) error {
	looked := 0
	for _, f := range w.files {
		if !f.pending() {
			continue
		}
		if looked++; looked > window {
			break
		}
		row, err := w.db.Ingestion(ctx, *f.Ingestion)
		if errs.Is(err, errs.Unavailable) && ctx.Err() == nil && time.Since(w.heard) < w.stalled {
			if !w.down {
				w.meter.say("PostgreSQL ne répond plus ; nouvel essai…")
			}
			w.down = true
			return nil
		}
		if errs.Is(err, errs.NotFound) {
			f.State, f.Reason = "cancelled", "L’ingestion a été supprimée."
			continue
		}
		if err != nil {
			return err
		}
		w.heard, w.down = time.Now(), false
		if row.State != f.State || row.Stage != f.stage || row.PagesDone != f.PagesDone {
			w.moved, w.slow = time.Now(), false
		}
		f.take(row)
	}
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
