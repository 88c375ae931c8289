// Package relay carries the events of an answer from the worker that writes it
// to the processes whose clients read it, over Redis.
//
// Each event goes, in one pipeline, into a short log (a Redis stream whose ids
// are attempt-number) and out over pub/sub. A reader subscribes, waits for the
// confirmation, reads the log, then follows live and drops what it has seen; so
// nothing is lost between the two. One multiplexed PubSub serves a process. The
// dispatcher never blocks: a reader that is too slow, and every reader after a
// reconnection, reads its log again.
//
// The log is a convenience, not the truth. When it was emptied in mid-answer and
// a gap cannot be filled, the reader's events end, and the caller turns to the
// row in PostgreSQL.
//
// Where one Redis is not enough, answers are spread over several: each has one of them
// as its home, which everybody reckons from the answer's id and the servers' names. A
// server that is away takes its answers' streams with it, which are then told from
// the row; the others go on, and a new answer is given an id with another home.
package relay

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/errs"
	"vigueur/internal/redisurl"
)

// Relay is one process's end. Its methods are safe for use by many goroutines.
type Relay struct {
	homes []*home
}

// Open connects lazily to the Redis at an address, or to several, blanks between their
// addresses. Their order means nothing.
func Open(addresses string, log *slog.Logger) (*Relay, error) {
	list, err := redisurl.ParseList(addresses)
	if err != nil {
		return nil, err
	}
	r := &Relay{}
	for _, address := range list {
		h, err := openHome(address, log)
		if err != nil {
			return nil, err
		}
		r.homes = append(r.homes, h)
	}
	return r, nil
}

// LogTo sends what go-redis has to say, for the whole process, to log. It says
// it of each failed dial; every such failure reaches a caller of ours as an error,
// so it is told only at the debug level. Called once, before the first Open.
func LogTo(log *slog.Logger) { redis.SetLogger(dialLog{log}) }

// dialLog is go-redis's idea of a logger.
type dialLog struct{ log *slog.Logger }

func (l dialLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.DebugContext(ctx, "go-redis", "text", fmt.Sprintf(format, args...))
}

// of is the home of an answer: that for which the hash of its name and the answer's id is
// the highest (rendezvous hashing, Thaler and Ravishankar 1998). So one more server
// takes its share from all others, and nothing else moves.
func (r *Relay) of(id uuid.UUID) *home {
	best, most := r.homes[0], uint64(0)
	if len(r.homes) == 1 {
		return best
	}
	for _, h := range r.homes {
		if w := weight(h.name, id); w >= most {
			best, most = h, w
		}
	}
	return best
}

// weight is a hash of both; the last steps, of MurmurHash3, spread FNV's bits, whose
// high ones hardly change with the last bytes.
func weight(name string, id uuid.UUID) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name)) // it never fails
	_, _ = sum.Write(id[:])
	x := sum.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Subscribe follows the answer id after event number after (0: from the
// start). It returns when Redis has confirmed the subscription: what is published
// from then on is heard. Unavailable when its Redis is down. Close must be called.
func (r *Relay) Subscribe(ctx context.Context, id uuid.UUID, after int64) (*Subscription, error) {
	return r.of(id).subscribe(ctx, id, after)
}

// Begin chooses the id of a new answer, by newID, so that its Redis answers, and
// subscribes to it. Unavailable when none does. Close must be called.
func (r *Relay) Begin(ctx context.Context, newID func() uuid.UUID) (id uuid.UUID, s *Subscription, err error) {
	tried := map[*home]bool{}
	for range r.homes {
		id = r.choose(newID, tried)
		if s, err = r.Subscribe(ctx, id, 0); err == nil || ctx.Err() != nil {
			return id, s, err
		}
		tried[r.of(id)] = true
	}
	return id, nil, err
}

// draws is how many ids are tried to find one whose home is not away. Where half of the
// servers are, one in 2^64 choices finds none.
const draws = 64

// choose draws an id whose home was not tried and is not away; one that was not tried, when
// all others are away.
func (r *Relay) choose(newID func() uuid.UUID, tried map[*home]bool) (id uuid.UUID) {
	var second uuid.UUID
	for range draws {
		id = newID()
		h := r.of(id)
		if !tried[h] {
			if !h.isAway() {
				return id
			}
			second = id
		}
	}
	if second != uuid.Nil {
		return second
	}
	return id
}

// Publisher begins to publish an attempt; a later one tells readers to forget
// what they have.
func (r *Relay) Publisher(ctx context.Context, id uuid.UUID, attempt int) *Publisher {
	return r.of(id).publisher(ctx, id, attempt)
}

// Cancel tells the worker that writes the answer id, if any, to stop.
func (r *Relay) Cancel(ctx context.Context, id uuid.UUID) error { return r.of(id).cancel(ctx, id) }

// WatchCancel calls stop when the answer id is cancelled, now or before, and
// returns when ctx ends or stop was called. Without Redis it returns at once: the
// row is looked at with each renewal of the lease.
func (r *Relay) WatchCancel(ctx context.Context, id uuid.UUID, stop func()) {
	r.of(id).watchCancel(ctx, id, stop)
}

// Servers are the Redis servers by their names (host:port/database), each with whether it
// answers.
func (r *Relay) Servers() (names []string, ping []func(ctx context.Context) error) {
	for _, h := range r.homes {
		names, ping = append(names, h.name), append(ping, h.ping)
	}
	return names, ping
}

// Ping tells whether answers can be streamed: whether any Redis answers.
func (r *Relay) Ping(ctx context.Context) error {
	_, err := r.pings(ctx)
	if slices.Contains(err, nil) {
		return nil
	}
	return errors.Join(err...)
}

// Deaf asks every Redis and tells for an answer whether its own does not answer.
func (r *Relay) Deaf(ctx context.Context) func(id uuid.UUID) bool {
	homes, err := r.pings(ctx)
	return func(id uuid.UUID) bool { return err[slices.Index(homes, r.of(id))] != nil }
}

func (r *Relay) pings(ctx context.Context) ([]*home, []error) {
	failed := make([]error, len(r.homes))
	var all sync.WaitGroup
	for i, h := range r.homes {
		all.Go(func() { failed[i] = h.ping(ctx) })
	}
	all.Wait()
	return r.homes, failed
}

// Run dispatches what is published until ctx ends; then it closes the
// connections, and every subscription ends.
func (r *Relay) Run(ctx context.Context) error {
	failed := make([]error, len(r.homes))
	var all sync.WaitGroup
	for i, h := range r.homes {
		all.Go(func() { failed[i] = h.run(ctx) })
	}
	all.Wait()
	return errors.Join(failed...)
}

func unavailable(err error) error {
	return errs.Wrap(errs.Unavailable, "Redis ne répond pas. Démarrez-le : scripts/services start", err)
}
