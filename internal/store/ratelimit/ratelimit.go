// Package ratelimit limits how often something happens for a key, such as an account, an
// address or an API key, within a sliding window. The counts are kept in Redis, so a limit
// is exact over any number of processes.
//
// Limiter limits events of which it is known only afterwards whether they count: a login
// counts when it fails, an inquiry when it is accepted. Begin reserves a place, and Count or
// Forget settles it, so that concurrent events never exceed the limit. An event that finds
// all places reserved waits until one is settled; it is refused only if the limit is
// reached by counted events. Allowance limits the requests of an API key per minute and per
// day. Ceiling counts without refusing, and Memory remembers keys for a time.
//
// Times are Redis's clock, and each key is changed by one script at a time. Emptying Redis
// resets the counts and nothing else. While Redis is down every limit returns Unavailable:
// a limit that cannot be checked is not waived. The reservation of a process that crashed
// expires after Hold.
package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/redisurl"
)

// Hold is how long an event may stay open before its reservation expires.
const Hold = 30 * time.Second

// Store is the Redis client that limits share.
type Store struct {
	redis redis.UniversalClient
}

// Open connects to the Redis at url lazily; Invalid if url is not the address of a Redis.
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
	Name   string        // prefix of its keys
	Limit  int           // counted events within Window
	Window time.Duration // sliding
}

// Quota is the state of a key's limit.
type Quota struct {
	Limit     int
	Remaining int           // events that may be counted now
	Reset     time.Duration // until the oldest counted event leaves the window; the whole window if none is counted
}

// Refused is the error of a limit that is reached. Its kind is TooMany.
type Refused struct {
	Quota Quota
	cause error
}

// Error returns the text for logs.
func (r *Refused) Error() string { return r.cause.Error() }

// Unwrap returns the error that has the kind.
func (r *Refused) Unwrap() error { return r.cause }

// Event is an event that has begun. Count or Forget settles it; further calls have no
// effect.
type Event struct {
	limiter *Limiter
	keys    []string
	id      string
	quota   Quota
}

// Begin reserves a place for an event of key, and waits while other open events have
// reserved all of them. The error is *Refused if Limit events are counted, Unavailable if
// Redis is down or ctx ends first.
func (l *Limiter) Begin(ctx context.Context, key string) (*Event, error) {
	e := &Event{limiter: l, keys: l.keys(key), id: uuid.NewString()}
	for {
		state, quota, err := e.run(ctx, beginScript, int64(l.Limit))
		switch {
		case err != nil:
			return nil, err
		case state == refused:
			return nil, &Refused{Quota: quota, cause: errs.Newf(errs.TooMany,
				"Trop de tentatives. Réessayez dans %s.", inFrench(quota.Reset))}
		case state == begun:
			e.quota = quota
			return e, nil
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// Quota returns the state of the key's limit when the event began.
func (e *Event) Quota() Quota { return e.quota }

// Count settles the event as one that counts, from now on, and returns the state of the
// key's limit after it.
func (e *Event) Count(ctx context.Context) (Quota, error) {
	_, quota, err := e.run(ctx, countScript, int64(e.limiter.Limit))
	return quota, err
}

// Forget settles the event as one that does not count.
func (e *Event) Forget(ctx context.Context) error {
	err := e.limiter.Store.redis.ZRem(ctx, e.keys[1], e.id).Err()
	return unavailable(err)
}

// keys returns the Redis keys of the counted and the open events. The braces (a hash tag)
// keep both in one slot of a cluster.
func (l *Limiter) keys(key string) []string {
	stem := "vigueur:limit:{" + l.Name + ":" + key + "}:"
	return []string{stem + "counted", stem + "open"}
}

// run runs a script, which returns a state, the number of counted events and the
// milliseconds until the oldest leaves the window.
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

// pause waits for a short, random time, so that waiting events do not retry all at once.
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

// inFrench formats a duration in French, rounded up.
func inFrench(d time.Duration) string {
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
