package httpapi

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/postgres"
)

const (
	// rowsEvery is how often the rows of all streams are looked at, in case an end
	// or a draft went by unheard.
	rowsEvery = 2 * time.Second
	// rowsBatch is how many rows one statement looks at.
	rowsBatch = 5000
	// rowsTimeout bounds a statement, relayTimeout the question whether the relay
	// is there.
	rowsTimeout, relayTimeout = 1500 * time.Millisecond, time.Second
	// blindTime is how long a stream may be without knowledge of its answer. With
	// the look before it and the one that notices, that is less than 10 s.
	blindTime = 6 * time.Second
)

// rowWatch looks at the rows of all the streams of the process at once: one
// statement for thousands of streams, where each by itself would ask as often.
//
// It also knows which streams are blind: nothing was sent on them, and either
// their row cannot be read, or their relay is down and no worker holds the row. An
// answer that a worker holds is not blind without the relay: its draft will come.
// Its zero value is ready; run must be going for anything to be told.
type rowWatch struct {
	news      func(ctx context.Context, readers []postgres.Reader, idle bool) ([]postgres.News, error)
	relayDown func(ctx context.Context) func(answer uuid.UUID) bool // for which answers the relay is down
	log       *slog.Logger

	sessions sessionWatch

	mu      sync.Mutex
	streams map[uuid.UUID][]*watched // by answer
}

// watched is one stream as rowWatch sees it.
type watched struct {
	news  chan news    // holds what was found last, until it is taken
	after atomic.Int64 // number of the last event sent

	crowded chan struct{} // closed when other streams of the answer take its place

	// Guarded by rowWatch.mu.
	moved int64     // after, at the last look
	sure  time.Time // when it was last known that the answer is taken care of
}

// news is what a look found out for a stream: its row's, or that it is blind.
type news struct {
	row  postgres.News
	lost bool
}

// join has a stream that was sent everything up to after watched; leave must be
// called once.
func (r *rowWatch) join(answer uuid.UUID, after int64) (w *watched, leave func()) {
	w = &watched{news: make(chan news, 1), crowded: make(chan struct{}), moved: after, sure: time.Now()}
	w.after.Store(after)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams == nil {
		r.streams = map[uuid.UUID][]*watched{}
	}
	r.crowd(answer)
	r.streams[answer] = append(r.streams[answer], w)
	return w, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		left := slices.DeleteFunc(r.streams[answer], func(other *watched) bool { return other == w })
		if r.streams[answer] = left; len(left) == 0 {
			delete(r.streams, answer)
		}
	}
}

// run looks until ctx ends.
func (r *rowWatch) run(ctx context.Context) {
	tick := time.NewTicker(rowsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.sessions.look(ctx)
			r.look(ctx)
		}
	}
}

// look tells the streams what they have not heard. A store that is down is asked
// again at the next look.
func (r *rowWatch) look(ctx context.Context) {
	readers := r.readers()
	if len(readers) == 0 {
		return
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, relayTimeout)
	relayDown := r.relayDown(limited)
	cancel()
	known := true
	for rest := readers; len(rest) > 0 && ctx.Err() == nil; {
		batch := rest[:min(rowsBatch, len(rest))]
		rest = rest[len(batch):]
		var found []postgres.News
		if known { // else it would fail once more
			found, known = r.read(ctx, batch, relayDown)
		}
		r.tell(batch, found, known, began)
	}
}

// read asks for the news of a batch. That no worker holds a row is news only of an answer
// of which the relay would not tell either.
func (r *rowWatch) read(ctx context.Context, batch []postgres.Reader, relayDown func(answer uuid.UUID) bool) (found []postgres.News, known bool) {
	limited, cancel := context.WithTimeout(ctx, rowsTimeout)
	defer cancel()
	unheard := func(reader postgres.Reader) bool { return relayDown(reader.Answer) }
	found, err := r.news(limited, batch, slices.ContainsFunc(batch, unheard))
	for i, n := range found {
		found[i].Idle = n.Idle && relayDown(n.Answer)
	}
	if err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "look at the rows of streams", "streams", len(batch), "error", err)
	}
	return found, err == nil
}

// readers are the answers that are streamed, each with the reader that has seen
// the least of it.
func (r *rowWatch) readers() []postgres.Reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]postgres.Reader, 0, len(r.streams))
	for id, streams := range r.streams {
		least := streams[0].after.Load()
		for _, w := range streams[1:] {
			least = min(least, w.after.Load())
		}
		all = append(all, postgres.Reader{Answer: id, After: least})
	}
	return all
}

// tell passes on what a look that began at a time has found of a batch.
func (r *rowWatch) tell(batch []postgres.Reader, found []postgres.News, known bool, began time.Time) {
	rows := make(map[uuid.UUID]postgres.News, len(found))
	for _, n := range found {
		rows[n.Answer] = n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reader := range batch {
		row, told := rows[reader.Answer]
		for _, w := range r.streams[reader.Answer] {
			w.look(row, told, known, began)
		}
	}
}

// look takes in what was found of the stream's row: row when told, else, when
// known, that all is as it should be.
func (w *watched) look(row postgres.News, told, known bool, began time.Time) {
	after := w.after.Load()
	if after != w.moved || known && !row.Idle {
		w.moved, w.sure = after, began
	}
	n := news{row: row, lost: began.Sub(w.sure) >= blindTime}
	if !n.lost && (!told || !row.Ended && row.Ends == nil) {
		return
	}
	select {
	case w.news <- n:
	default: // it was told before
	}
}
