// Package ratelimit limits how often something happens for a key, such as an account, an
// address or an API key, within a sliding window. The counts are kept in Redis, so a limit
// is exact over any number of processes.
//
// Limiter limits events of which only the outcome shows whether they count: a login counts
// if it fails, an inquiry counts if it is accepted. Begin reserves a place for an event;
// then Count counts the event, or Forget frees the place. So concurrent events never exceed
// the limit. If all places are reserved, Begin waits until one is counted or freed; it
// refuses an event if counted events reach the limit or too many wait. Allowance limits the requests of
// an API key per minute and per day. Ceiling counts without refusing, and Memory remembers
// keys for some time.
//
// All times are Redis's clock, and each key is changed by one script at a time. Emptying
// Redis resets the counts and nothing else. While Redis is down, every limit returns
// Unavailable: a limit that cannot be checked is not waived. The reservation of a process
// that crashed expires after Hold.
package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/redisurl"
)

// Hold is how long the reservation of an event lasts, unless Count or Forget ends it.
const Hold = 30 * time.Second

// Store is the Redis client that limits share.
type Store struct {
	redis redis.UniversalClient

	mu      sync.Mutex
	waiting map[string]int // events of this process that wait for a place, by key
}

// Open returns a Store on the Redis at url, which connects when it is first used. Invalid
// if url is not the address of a Redis.
func Open(url string) (*Store, error) {
	client, err := redisurl.Open(url)
	if err != nil {
		return nil, err
	}
	return &Store{redis: client}, nil
}

// aliveKey is the key that Ping writes.
const aliveKey = "vigueur:limits:alive"

// Ping checks whether Redis takes what is written: one that is full, or a replica, responds and
// counts nothing. Unavailable if not.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.redis.Set(ctx, aliveKey, 1, time.Minute).Err(); err != nil {
		return errs.Wrap(errs.Unavailable, "", fmt.Errorf("ratelimit: %w", err))
	}
	return nil
}

// Close closes the connections.
func (s *Store) Close() error { return s.redis.Close() }

// Limiter limits events. It is safe for use by many goroutines.
type Limiter struct {
	Store  *Store
	Name   string        // prefix of its keys in Redis
	Limit  int           // maximum number of counted events within Window
	Window time.Duration // length of the sliding window
}

// widening is how much more each wider network may have than the one within it. Neighbors
// share a network, and must not pay for one another; but without a limit for the wider ones,
// whoever has an IPv6 /48 would have the limit of its 65,536 networks.
const widening = 8

// Wider returns the limit for a network that contains the limit's own, so many steps wider
// (see transport.Networks).
func (l *Limiter) Wider(steps int) *Limiter {
	wide := *l
	for range steps {
		wide.Name += "-wide"
		wide.Limit *= widening
	}
	return &wide
}

// Quota is the state of a key's limit.
type Quota struct {
	Limit     int
	Remaining int           // number of events that may still be counted now
	Reset     time.Duration // time until the oldest counted event leaves the window; the whole window if no event is counted
}

// Refused is the error that a limit is reached. Its kind is TooMany.
type Refused struct {
	Quota Quota
	cause error
}

// Refuse returns the error of a limit that is reached, with a sentence for the client.
func Refuse(q Quota, sentence string) *Refused {
	return &Refused{Quota: q, cause: errs.New(errs.TooMany, sentence)}
}

// Error implements error.
func (r *Refused) Error() string { return r.cause.Error() }

// Unwrap returns an error of kind TooMany.
func (r *Refused) Unwrap() error { return r.cause }

// Event is an event for which Begin has reserved a place. Count or Forget ends the
// reservation; further calls have no effect.
type Event struct {
	limiter *Limiter
	keys    []string
	id      string
	quota   Quota
}

// Begin reserves a place for an event of key. It waits while other events have reserved all
// remaining places. The error is *Refused if Limit events are counted or too many wait,
// Unavailable if Redis is down or ctx ends first.
func (l *Limiter) Begin(ctx context.Context, key string) (*Event, error) {
	e := &Event{limiter: l, keys: l.keys(key), id: uuid.NewString()}
	leave := func() {}
	defer func() { leave() }()
	for wait, waits := firstPause, false; ; wait = min(2*wait, lastPause) {
		state, quota, err := e.run(ctx, beginScript, int64(l.Limit))
		switch {
		case err != nil:
			return nil, err
		case state == refused:
			return nil, Refuse(quota, fmt.Sprintf("Trop de tentatives. Réessayez dans %s.", inFrench(quota.Reset)))
		case state == begun:
			e.quota = quota
			return e, nil
		}
		if !waits {
			if leave, waits = l.Store.wait(e.keys[1], mostWaiting*l.Limit); !waits {
				return nil, Refuse(Quota{Limit: l.Limit, Remaining: quota.Remaining, Reset: time.Second}, "Trop de tentatives sont en cours. Réessayez dans un instant.")
			}
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// mostWaiting is how many events of a key may wait in one process for each place of its
// limit. Every one of them asks Redis again and again.
const mostWaiting = 4

// wait counts an event that waits, unless most wait already; leave takes it back.
func (s *Store) wait(key string, most int) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[key] >= most {
		return func() {}, false
	}
	if s.waiting == nil {
		s.waiting = map[string]int{}
	}
	s.waiting[key]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.waiting[key]--; s.waiting[key] == 0 {
			delete(s.waiting, key)
		}
	}, true
}

// Quota returns the state of the key's limit at the time of Begin.
func (e *Event) Quota() Quota { return e.quota }

// Count counts the event from now on, and returns the state of the key's limit afterwards.
func (e *Event) Count(ctx context.Context) (Quota, error) {
	_, quota, err := e.run(ctx, countScript, int64(e.limiter.Limit))
	return quota, err
}

// Forget frees the place of the event, which does not count.
func (e *Event) Forget(ctx context.Context) error {
	err := e.limiter.Store.redis.ZRem(ctx, e.keys[1], e.id).Err()
	return unavailable(err)
}

// keys returns the Redis keys of the counted events and of the reservations. The braces (a
// hash tag) keep both in one slot of a cluster.
func (l *Limiter) keys(key string) []string {
	stem := "vigueur:limit:{" + l.Name + ":" + key + "}:"
	return []string{stem + "counted", stem + "open"}
}

// run runs a script that returns a state, the number of counted events, and the
// milliseconds until the oldest one leaves the window.
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

// How long a waiting event pauses before it asks again: a little at first, then longer.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 320 * time.Millisecond
)

// pause waits for a random time of at most the given length, so that waiting calls do not all
// retry at once.
func pause(ctx context.Context, most time.Duration) error {
	t := time.NewTimer(most/2 + rand.N(most/2))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return unavailable(ctx.Err())
	case <-t.C:
		return nil
	}
}

// inFrench formats a duration in French. It rounds up.
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
