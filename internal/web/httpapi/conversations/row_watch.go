package conversations

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/tick"
	"vigueur/internal/store/postgres"
)

// rowWatch reads the rows of all streams of the process together: one statement for
// thousands of streams, instead of one each.
//
// It also detects blind streams: nothing was sent on them, and either their row cannot be
// read, or their relay is down and no worker holds the row. Without the relay, an answer
// that a worker holds is not blind, because its drafts are in the row. The zero value is
// ready to use; it does nothing until run is called.
type rowWatch struct {
	news      func(ctx context.Context, readers []postgres.Reader, idle bool) ([]postgres.News, error)
	relayDown func(ctx context.Context) func(answer uuid.UUID) bool // returns a function that reports whether an answer's relay is down
	log       *slog.Logger

	mu      sync.Mutex
	streams map[uuid.UUID][]*watched // by answer
}

// watched is one stream of a rowWatch.
type watched struct {
	news  chan news    // holds the latest finding until it is received
	after atomic.Int64 // number of the last event sent

	crowded chan struct{} // closed when newer streams of the answer replace this one

	// rowWatch.mu guards the following fields.
	moved int64     // value of after at the last look
	sure  time.Time // when the state of the answer was last known
}

// news is a finding about a stream: its row, or that it is blind.
type news struct {
	row  postgres.News
	lost bool
}

// join adds a stream that was sent all events up to after; leave must be called once.
func (r *rowWatch) join(answer uuid.UUID, after int64) (w *watched, leave func()) {
	w = &watched{news: make(chan news, 1), crowded: make(chan struct{}), moved: after, sure: time.Now()}
	w.after.Store(after)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams == nil {
		r.streams = map[uuid.UUID][]*watched{}
	}
	r.dropOldest(answer)
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

// run reads the rows periodically until ctx ends.
func (r *rowWatch) run(ctx context.Context) {
	for range tick.Every(ctx, rowsEvery) {
		r.look(ctx)
	}
}

// look sends each stream the news that it has missed. If the database is down, the next
// look tries again.
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
		if known { // after a failed batch the others would fail, too
			found, known = r.read(ctx, batch, relayDown)
		}
		r.deliver(batch, found, known, began)
	}
}

// read reads the news of a batch. That no worker holds a row is reported only if the relay
// of the answer is also down.
func (r *rowWatch) read(ctx context.Context, batch []postgres.Reader, relayDown func(answer uuid.UUID) bool) (found []postgres.News, known bool) {
	limited, cancel := context.WithTimeout(ctx, rowsTimeout)
	defer cancel()
	unheard := func(reader postgres.Reader) bool { return relayDown(reader.Answer) }
	found, err := r.news(limited, batch, slices.ContainsFunc(batch, unheard))
	for i, n := range found {
		found[i].Idle = n.Idle && relayDown(n.Answer)
	}
	if err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "rows of streams not read", "streams", len(batch), "error", err)
	}
	return found, err == nil
}

// readers returns the answers that have streams, each with the smallest number of a last
// event among its streams.
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

// deliver passes the findings about a batch to its streams. began is the time at which the
// look began.
func (r *rowWatch) deliver(batch []postgres.Reader, found []postgres.News, known bool, began time.Time) {
	rows := make(map[uuid.UUID]postgres.News, len(found))
	for _, n := range found {
		rows[n.Answer] = n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reader := range batch {
		row, has := rows[reader.Answer]
		for _, w := range r.streams[reader.Answer] {
			w.look(row, has, known, began)
		}
	}
}

// look processes the result of a look for the stream. If has is set, row has news; else, if
// known is set, the row was read and has none; else it could not be read.
func (w *watched) look(row postgres.News, has, known bool, began time.Time) {
	after := w.after.Load()
	if after != w.moved || known && !row.Idle {
		w.moved, w.sure = after, began
	}
	n := news{row: row, lost: began.Sub(w.sure) >= blindTime}
	if !n.lost && (!has || !row.Ended && row.Ends == nil) {
		return
	}
	select {
	case w.news <- n:
	default: // earlier news has not been received yet
	}
}

// dropOldest makes room for one more stream of an answer. The caller must hold r.mu.
func (r *rowWatch) dropOldest(answer uuid.UUID) {
	streams := r.streams[answer]
	for len(streams) >= streamsOfAnswer {
		close(streams[0].crowded)
		streams = streams[1:]
	}
	r.streams[answer] = streams
}
