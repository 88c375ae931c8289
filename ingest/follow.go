package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue"
)

// window is the maximum number of waiting files whose rows one look reads. If there are
// more, the next look reads the following ones.
const window = 1000

// meter shows the progress of files: a bar on a terminal, lines elsewhere.
type meter interface {
	// admit shows that n of the files were added, and which file is next.
	admit(n, of int, next string)
	show(files []*added)
	// say prints a message without disturbing the progress.
	say(sentence string)
	end()
}

// follow waits until no file is pending. It reads only the rows, so it does not matter
// which worker runs a job or how often the job is retried.
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

// watch detects that the files make no progress.
type watch struct {
	*adding
	meter meter
	moved time.Time // when a row last changed
	heard time.Time // when the database last responded
	idle  bool      // whether it was reported that no worker runs
	slow  bool      // whether it was reported that nothing progresses
	down  bool      // whether it was reported that the database does not respond
	next  int       // index of the file at which the next look begins
}

// look reads the rows that may have changed. If the database does not respond, look waits,
// because the work goes on without the command.
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

// due returns the pending files that this look reads.
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

// see records the progress of a file. Once the file has ended, it reads the whole row.
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
			return nil // the next look reports it
		}
		if err == nil {
			w.take(f, whole)
		}
		return err
	}
	f.State, f.stage, f.PagesDone, f.PagesTotal = row.State, row.Stage, row.PagesDone, row.PagesTotal
	return nil
}

// worry reports, once, that there is no worker or no progress.
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
