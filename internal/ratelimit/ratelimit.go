// Package ratelimit holds limits that are exact over any number of processes:
// at most so many counted events for a key within any window of time.
//
// Whether an event counts is often known only after the work (a login counts
// when it fails, an inquiry when it is accepted). So an event is begun, and later
// counted or forgotten. While it is open it holds a place: however many begin at
// once, on however many servers, no more than the limit can come to be counted.
// An event that finds the places held but not yet counted waits for the others
// to settle; only counted events refuse it.
//
// The counts lie in Redis, by Redis's clock, each key changed by one script at a
// time. Emptying Redis forgets them and nothing else. When Redis is down, Begin
// is Unavailable: a limit that cannot be held is not waived. An event whose
// process died while it was open gives its place back after Hold.
package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/errs"
	"vigueur/internal/redisurl"
)

// Hold is how long an event may stay open.
const Hold = 30 * time.Second

// Store is the connection to Redis that limits share.
type Store struct {
	redis redis.UniversalClient
}

// Open connects to the Redis at url lazily; Invalid when url is no Redis address.
func Open(url string) (*Store, error) {
	client, err := redisurl.Open(url)
	if err != nil {
		return nil, err
	}
	return &Store{redis: client}, nil
}

// Close ends the connections.
func (s *Store) Close() error { return s.redis.Close() }

// Limiter is one limit. It is safe for use by many goroutines.
type Limiter struct {
	Store  *Store
	Name   string        // tells its keys from those of other limits
	Limit  int           // counted events within Window
	Window time.Duration // it slides
}

// Quota is where a key stands.
type Quota struct {
	Limit     int
	Remaining int           // events that may still be counted now
	Reset     time.Duration // until the oldest counted event leaves the window; the window when none is counted
}

// Refused says that the limit is reached. Its kind is TooMany.
type Refused struct {
	Quota Quota
	cause error
}

// Error gives the text for logs.
func (r *Refused) Error() string { return r.cause.Error() }

// Unwrap gives the error that carries the kind.
func (r *Refused) Unwrap() error { return r.cause }

// Event is one that has begun. Count or Forget closes it; what is done after
// the first of them has no effect.
type Event struct {
	limiter *Limiter
	keys    []string
	id      string
	quota   Quota
}

// Begin opens an event for key, waiting while open events hold every place. The
// error is *Refused when Limit events are counted, Unavailable when Redis is down
// or ctx ends first.
func (l *Limiter) Begin(ctx context.Context, key string) (*Event, error) {
	e := &Event{limiter: l, keys: l.keys(key), id: uuid.NewString()}
	for {
		state, quota, err := e.run(ctx, beginScript, int64(l.Limit))
		switch {
		case err != nil:
			return nil, err
		case state == refused:
			return nil, &Refused{Quota: quota, cause: errs.Newf(errs.TooMany,
				"Trop de tentatives. Réessayez dans %s.", spell(quota.Reset))}
		case state == begun:
			e.quota = quota
			return e, nil
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// Quota is where the key stood when the event began.
func (e *Event) Quota() Quota { return e.quota }

// Count closes the event as one that counts, from now, and gives where the key
// stands then.
func (e *Event) Count(ctx context.Context) (Quota, error) {
	_, quota, err := e.run(ctx, countScript, int64(e.limiter.Limit))
	return quota, err
}

// Forget closes the event as one that does not count.
func (e *Event) Forget(ctx context.Context) error {
	err := e.limiter.Store.redis.ZRem(ctx, e.keys[1], e.id).Err()
	return unavailable(err)
}

// keys are where a key's counted and open events lie. The braces keep both in
// one slot of a cluster.
func (l *Limiter) keys(key string) []string {
	stem := "vigueur:limit:{" + l.Name + ":" + key + "}:"
	return []string{stem + "counted", stem + "open"}
}

// run calls a script, which answers with a state, how many events are counted
// and when the oldest leaves, in milliseconds from now.
func (e *Event) run(ctx context.Context, script *redis.Script, limit int64) (state int64, q Quota, err error) {
	l := e.limiter
	reply, err := script.Run(ctx, l.Store.redis, e.keys, e.id, limit, l.Window.Milliseconds(), Hold.Milliseconds()).Int64Slice()
	if err != nil {
		return 0, Quota{}, unavailable(fmt.Errorf("ratelimit: %s: %w", l.Name, err))
	}
	return reply[0], Quota{
		Limit:     l.Limit,
		Remaining: max(0, l.Limit-int(reply[1])),
		Reset:     time.Duration(reply[2]) * time.Millisecond,
	}, nil
}

// pause waits a moment, of varied length so that those who wait do not come
// back all at once.
func pause(ctx context.Context) error {
	t := time.NewTimer(5*time.Millisecond + rand.N(15*time.Millisecond))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return unavailable(ctx.Err())
	case <-t.C:
		return nil
	}
}

// spell says a duration in French, rounded up.
func spell(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	switch {
	case seconds <= 1:
		return "une seconde"
	case seconds < 120:
		return fmt.Sprintf("%d secondes", seconds)
	case seconds > 2*3600:
		return fmt.Sprintf("%d heures", (seconds+3599)/3600)
	}
	return fmt.Sprintf("%d minutes", (seconds+59)/60)
}

func unavailable(err error) error {
	return errs.Wrap(errs.Unavailable, "", err)
}
