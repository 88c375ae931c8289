package relay

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/chat"
)

const (
	// together is how long deltas wait for one another; the first goes at once.
	together = 20 * time.Millisecond
	// logLife is how long a log is kept after its last event.
	logLife = 15 * time.Minute
	// logLength bounds a log; no answer that a person reads has as many events.
	logLength = 20_000
	// firstPause is how long a Redis that failed is left alone; each further
	// failure doubles it up to longestPause.
	firstPause, longestPause = 250 * time.Millisecond, 2 * time.Second
)

// Publisher writes the events of one attempt of an answer. Publishing is best
// effort: the row is the truth, and a worker does not fail because its readers
// cannot hear it. What could not be sent is sent with what comes next, and a log
// that was emptied is written again, so that a reader who joins later misses
// nothing. It is safe for use by two goroutines, its own timer being one.
type Publisher struct {
	home    *home
	id      uuid.UUID
	wait    time.Duration // together, but in tests
	mu      sync.Mutex
	seq     int64
	pending []byte
	text    []byte // of all chunks so far
	ends    []int  // byte offset in text after each
	last    time.Time
	timer   *time.Timer

	events []chat.Event // of this attempt, as many as a log holds at most
	logged int          // of events, those known to be in the log
	down   time.Time    // not tried again before
	pause  time.Duration
}

// publisher begins to publish an attempt.
func (r *home) publisher(ctx context.Context, id uuid.UUID, attempt int) *Publisher {
	p := &Publisher{home: r, id: id, wait: together, seq: chat.FirstSeq(attempt) - 1}
	if attempt > 1 {
		p.send(ctx, chat.Event{Seq: chat.ResetSeq(attempt), Kind: chat.Reset, Data: []byte("{}")})
	}
	return p
}

// Text adds a piece of the answer. The first goes out at once, and so does one
// that comes 20 ms or more after the last; those between travel together.
func (p *Publisher) Text(ctx context.Context, delta string) {
	if delta == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = append(p.pending, delta...)
	if wait := p.wait - time.Since(p.last); wait > 0 {
		if p.timer == nil {
			p.timer = time.AfterFunc(wait, func() { p.Flush(context.WithoutCancel(ctx)) })
		}
		return
	}
	p.flush(ctx)
}

// Flush sends what waits.
func (p *Publisher) Flush(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush(ctx)
}

func (p *Publisher) flush(ctx context.Context) {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if len(p.pending) == 0 {
		return
	}
	p.text = append(p.text, p.pending...)
	p.ends = append(p.ends, len(p.text))
	p.seq++
	p.send(ctx, chat.Event{Seq: p.seq, Kind: chat.Chunk, Data: chat.ChunkData(string(p.pending))})
	p.pending = p.pending[:0]
	p.last = time.Now()
}

// ChunkEnds sends what waits and gives the byte offset in the text after each
// chunk, so that the stored answer can be streamed again in the same chunks.
func (p *Publisher) ChunkEnds(ctx context.Context) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush(ctx)
	return p.ends
}

// Unheard gives what the attempt has sent so far, whole chunks, when Redis has
// not taken all of it: then readers must be told by other means.
func (p *Publisher) Unheard() (text string, ends []int, unheard bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.logged == len(p.events) {
		return "", nil, false
	}
	return string(p.text), p.ends, true
}

// End publishes the one event that ends the answer.
func (p *Publisher) End(ctx context.Context, kind chat.EventKind, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush(ctx)
	p.seq++
	p.send(ctx, chat.Event{Seq: p.seq, Kind: kind, Data: data})
}

// send sends e, after what could not be sent before it.
func (p *Publisher) send(ctx context.Context, e chat.Event) {
	if len(p.events) == logLength {
		p.events = slices.Delete(p.events, 0, logLength/2) // the log forgets them too
		p.logged = max(0, p.logged-logLength/2)
	}
	p.events = append(p.events, e)
	if time.Now().Before(p.down) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.home.limits.send)
	defer cancel()
	if err := p.deliver(ctx); err != nil {
		p.pause = min(max(2*p.pause, firstPause), longestPause)
		p.down = time.Now().Add(p.pause)
		p.home.log.WarnContext(ctx, "relay: publish", "message_id", p.id, "seq", e.Seq, "unsent", len(p.events)-p.logged, "error", err)
		return
	}
	p.pause = 0
}

// deliver brings the log up to date and wakes the readers with what is new.
func (p *Publisher) deliver(ctx context.Context) error {
	fresh := p.events[p.logged:]
	err := p.home.publish(ctx, p.id, fresh, p.logged == 0)
	if errors.Is(err, errNoLog) {
		// Emptied, or grown too old: whoever joins from now on needs all of it.
		p.logged = 0
		err = p.home.record(ctx, p.id, p.events)
	}
	if err == nil {
		p.logged = len(p.events)
	}
	return err
}

// errNoLog says that the log that was to be written on is not there.
var errNoLog = errors.New("relay: the log is gone")

// publish writes events to the log, then wakes the readers, in one round trip.
// Unless it is the beginning, a log that is not there is not begun.
func (r *home) publish(ctx context.Context, id uuid.UUID, events []chat.Event, begin bool) error {
	return r.write(ctx, id, events, begin, true)
}

// record writes the log anew, and wakes nobody: the readers have heard it.
func (r *home) record(ctx context.Context, id uuid.UUID, events []chat.Event) error {
	return r.write(ctx, id, events, true, false)
}

func (r *home) write(ctx context.Context, id uuid.UUID, events []chat.Event, begin, wake bool) error {
	added, told := make([]*redis.StringCmd, 0, len(events)), make([]*redis.IntCmd, 0, len(events))
	log, live := logKey(id), liveChannel(id)
	r.commits.send(func(pipe redis.Pipeliner) {
		for i, e := range events {
			added = append(added, pipe.XAdd(ctx, &redis.XAddArgs{Stream: log, ID: streamID(e.Seq), MaxLen: logLength, Approx: true,
				NoMkStream: !begin, Values: []any{"k", string(e.Kind), "d", e.Data}}))
			if begin && i == 0 || e.Last() {
				pipe.Expire(ctx, log, logLife)
			}
			if wake {
				told = append(told, pipe.Publish(ctx, live, encode(e)))
			}
		}
	})
	var failed error
	for _, cmd := range added {
		switch err := cmd.Err(); {
		case errors.Is(err, redis.Nil):
			return errNoLog
		// An id that is not above the last was written before its answer got lost, or
		// a later attempt has begun: either way there is nothing more to write.
		case err != nil && !strings.Contains(err.Error(), "equal or smaller than the target stream top item"):
			failed = errors.Join(failed, err)
		}
	}
	for _, cmd := range told {
		failed = errors.Join(failed, cmd.Err())
	}
	return failed
}
