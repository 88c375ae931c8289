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

	"vigueur/internal/store/chat"
)

const (
	// flushInterval is how long pieces of text are collected into one event. The first piece
	// is sent at once.
	flushInterval = 20 * time.Millisecond
	// logLife is how long a log is kept after its last event.
	logLife = 15 * time.Minute
	// logLength is the maximum number of events in a log, more than any answer has that a
	// person would read.
	logLength = 20_000
	// After Redis fails, no write is attempted for firstPause. Each further failure doubles
	// the pause, up to longestPause.
	firstPause, longestPause = 250 * time.Millisecond, 2 * time.Second
)

// Publisher writes the events of one attempt at an answer. It ignores failures of Redis:
// the row in PostgreSQL is authoritative, and a worker does not fail because Redis is down.
// Events that could not be sent are sent with the next ones. If the log was emptied, the
// Publisher writes it again, so that a reader who subscribes later misses nothing. It is
// safe for use by its caller and its own timer at once.
type Publisher struct {
	relay   *Relay
	id      uuid.UUID
	wait    time.Duration // flushInterval, except in tests
	mu      sync.Mutex
	seq     int64
	pending []byte
	length  int   // of the text of all chunks so far, in bytes
	ends    []int // end of each chunk in that text
	last    time.Time
	timer   *time.Timer

	events  []chat.Event // latest events of this attempt, at most logLength
	logged  int          // number of events that are known to be in the log
	retryAt time.Time    // no write is attempted before this time
	pause   time.Duration
}

// Publisher returns a Publisher for an attempt. For every attempt except the first it sends
// a reset event, so that readers drop the text of the earlier attempt.
func (r *Relay) Publisher(ctx context.Context, id uuid.UUID, attempt int) *Publisher {
	p := &Publisher{relay: r, id: id, wait: flushInterval, seq: chat.FirstSeq(attempt) - 1}
	if attempt > 1 {
		p.send(ctx, chat.Event{Seq: chat.ResetSeq(attempt), Kind: chat.Reset, Data: []byte("{}")})
	}
	return p
}

// Text adds a piece of the answer. The first piece is sent at once, and so is a piece that
// comes at least flushInterval after the last event. The pieces in between are collected
// into one event.
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

// Flush sends the pending text.
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
	p.length += len(p.pending)
	p.ends = append(p.ends, p.length)
	p.seq++
	p.send(ctx, chat.Event{Seq: p.seq, Kind: chat.Chunk, Data: chat.ChunkData(string(p.pending))})
	p.pending = p.pending[:0]
	p.last = time.Now()
}

// ChunkEnds sends the pending text and returns the end of each chunk in the text, in bytes,
// so that the stored answer can be streamed again in the same chunks.
func (p *Publisher) ChunkEnds(ctx context.Context) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush(ctx)
	return p.ends
}

// End publishes the event that ends the answer.
func (p *Publisher) End(ctx context.Context, kind chat.EventKind, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush(ctx)
	p.seq++
	p.send(ctx, chat.Event{Seq: p.seq, Kind: kind, Data: data})
}

// send sends e, after the events that could not be sent earlier.
func (p *Publisher) send(ctx context.Context, e chat.Event) {
	if len(p.events) == logLength {
		p.events = slices.Delete(p.events, 0, logLength/2) // the log drops them, too
		p.logged = max(0, p.logged-logLength/2)
	}
	p.events = append(p.events, e)
	if time.Now().Before(p.retryAt) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.relay.limits.send)
	defer cancel()
	if err := p.deliver(ctx); err != nil {
		p.pause = min(max(2*p.pause, firstPause), longestPause)
		p.retryAt = time.Now().Add(p.pause)
		p.relay.log.WarnContext(ctx, "relay: publish", "message_id", p.id, "seq", e.Seq, "unsent", len(p.events)-p.logged, "error", err)
		return
	}
	p.pause = 0
}

// deliver appends the unsent events to the log and publishes them.
func (p *Publisher) deliver(ctx context.Context) error {
	err := p.relay.appendLog(ctx, p.id, p.events[p.logged:], p.logged == 0, true)
	if errors.Is(err, errNoLog) {
		// The log was emptied or has expired. Readers that subscribe from now on need all events;
		// current readers have received them, so they are not published again.
		p.logged = 0
		err = p.relay.appendLog(ctx, p.id, p.events, true, false)
	}
	if err == nil {
		p.logged = len(p.events)
	}
	return err
}

// errNoLog reports that the log to which events were to be appended does not exist.
var errNoLog = errors.New("relay: the log is gone")

// appendLog appends events to the log and, if publish is true, publishes them, in one round
// trip. If begin is true, it creates the log if necessary; otherwise a missing log is
// errNoLog.
func (r *Relay) appendLog(ctx context.Context, id uuid.UUID, events []chat.Event, begin, publish bool) error {
	added, published := make([]*redis.StringCmd, 0, len(events)), make([]*redis.IntCmd, 0, len(events))
	log, live := logKey(id), liveChannel(id)
	pipe := r.redis.Pipeline()
	for i, e := range events {
		added = append(added, pipe.XAdd(ctx, &redis.XAddArgs{Stream: log, ID: streamID(e.Seq), MaxLen: logLength, Approx: true,
			NoMkStream: !begin, Values: []any{"k", string(e.Kind), "d", e.Data}}))
		if begin && i == 0 || e.Last() {
			pipe.Expire(ctx, log, logLife)
		}
		if publish {
			published = append(published, pipe.Publish(ctx, live, encode(e)))
		}
	}
	_, _ = pipe.Exec(ctx) // each command has its error
	var failed error
	for _, cmd := range added {
		switch err := cmd.Err(); {
		case errors.Is(err, redis.Nil):
			return errNoLog
		// If the id is not above the last one, the event was already written and only the reply
		// was lost, or a later attempt has begun. In both cases there is nothing more to write.
		case err != nil && !strings.Contains(err.Error(), "equal or smaller than the target stream top item"):
			failed = errors.Join(failed, err)
		}
	}
	for _, cmd := range published {
		failed = errors.Join(failed, cmd.Err())
	}
	return failed
}
