package relay

import (
	"context"
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
	// pauseAfterFailure spares a worker the wait for a Redis that is down.
	pauseAfterFailure = time.Second
)

// Publisher writes the events of one attempt of an answer. Publishing is best
// effort: the row is the truth, and a worker does not fail because its readers
// cannot hear it. It is safe for use by two goroutines, its own timer being one.
type Publisher struct {
	relay   *Relay
	id      uuid.UUID
	mu      sync.Mutex
	seq     int64
	pending []byte
	sent    int // bytes of text in chunks so far
	ends    []int
	last    time.Time
	timer   *time.Timer
	down    time.Time // not tried again before
}

// Publisher begins to publish an attempt; a later one tells readers to forget
// what they have.
func (r *Relay) Publisher(ctx context.Context, id uuid.UUID, attempt int) *Publisher {
	p := &Publisher{relay: r, id: id, seq: chat.FirstSeq(attempt) - 1}
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
	if wait := together - time.Since(p.last); wait > 0 {
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
	p.sent += len(p.pending)
	p.ends = append(p.ends, p.sent)
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

// End publishes the one event that ends the answer.
func (p *Publisher) End(ctx context.Context, kind chat.EventKind, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush(ctx)
	p.seq++
	p.send(ctx, chat.Event{Seq: p.seq, Kind: kind, Data: data})
}

func (p *Publisher) send(ctx context.Context, e chat.Event) {
	if time.Now().Before(p.down) {
		return
	}
	err := p.relay.publish(ctx, p.id, e)
	if err != nil {
		p.down = time.Now().Add(pauseAfterFailure)
		p.relay.log.WarnContext(ctx, "relay: publish", "message_id", p.id, "seq", e.Seq, "error", err)
	}
}

// publish writes to the log, then wakes the readers, in one round trip.
func (r *Relay) publish(ctx context.Context, id uuid.UUID, e chat.Event) error {
	_, err := r.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.XAdd(ctx, &redis.XAddArgs{Stream: logKey(id), ID: streamID(e.Seq), MaxLen: logLength, Approx: true,
			Values: []string{"k", string(e.Kind), "d", string(e.Data)}})
		if e.Last() || e.Seq == chat.FirstSeq(chat.AttemptOf(e.Seq)) {
			pipe.Expire(ctx, logKey(id), logLife)
		}
		pipe.Publish(ctx, liveChannel(id), encode(e))
		return nil
	})
	return err
}
