// Package ratelimit limits how often something happens for a key, such as an account, an
// address or an API key, within a sliding window. The counts are kept in Redis, so a limit
// is exact over any number of processes.
//
// Limiter limits events of which only the outcome shows whether they count: a login counts
// if it fails, an inquiry counts if it is accepted. Begin reserves a place for an event;
// then Count counts the event, or Forget frees the place. So concurrent events never exceed
// the limit. If all places are reserved, Begin waits until one is counted or freed; it
// refuses an event if counted events reach the limit or too many wait. Allowance limits the requests of
// an API key per minute and per day. Ceiling counts without refusing; one of a single event
// remembers keys.
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

// The states that beginScript returns.
const (
	refused = 0 // counted events reach the limit
	begun   = 1
	busy    = 2 // counted events and reservations reach the limit, but some reservations may not count in the end
)

// preamble reads the clock in milliseconds and removes the events that are at least one
// window old. Its function reset returns the time until enough events have left the window
// to count another one.
const preamble = `
local id, limit, window, hold = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local function reset(counted)
  local nth = math.max(0, counted - limit)
  local oldest = redis.call('ZRANGE', KEYS[1], nth, nth, 'WITHSCORES')
  if #oldest == 0 then return window end
  return oldest[2] + window - now
end
`

// beginScript reserves a place for an event, if one is free.
var beginScript = redis.NewScript(preamble + `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - hold)
local counted = redis.call('ZCARD', KEYS[1])
local state = 1
if counted >= limit then
  state = 0
elseif counted + redis.call('ZCARD', KEYS[2]) >= limit then
  state = 2
else
  redis.call('ZADD', KEYS[2], now, id)
  redis.call('PEXPIRE', KEYS[2], hold)
end
return {state, counted, reset(counted)}
`)

// countScript ends the reservation of an event and counts the event. If the reservation was
// ended before or has expired, the event is not counted, because another event may have its
// place.
var countScript = redis.NewScript(preamble + `
if redis.call('ZREM', KEYS[2], id) == 1 then
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('PEXPIRE', KEYS[1], window)
end
local counted = redis.call('ZCARD', KEYS[1])
return {1, counted, reset(counted)}
`)

// Ceiling counts the events of a key in a sliding window and reports whether their number
// reaches a limit. It refuses nothing: the caller decides what to do. It is safe for use by
// many goroutines.
type Ceiling struct {
	Store  *Store
	Name   string
	Limit  int // maximum number of events within Window
	Window time.Duration
}

// reachedScript counts the events in the window.
var reachedScript = redis.NewScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZCOUNT', KEYS[1], '(' .. (now - tonumber(ARGV[1])), '+inf')
`)

// recordScript adds an event, and keeps at most Limit events.
var recordScript = redis.NewScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]))
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
`)

func (c *Ceiling) key(key string) []string { return []string{"vigueur:ceiling:" + c.Name + ":" + key} }

// Reached reports whether key has at least Limit events in the window. Every error is
// Unavailable.
func (c *Ceiling) Reached(ctx context.Context, key string) (bool, error) {
	n, err := reachedScript.Run(ctx, c.Store.redis, c.key(key), c.Window.Milliseconds()).Int()
	if err != nil {
		return false, unavailable(fmt.Errorf("ratelimit: %s: %w", c.Name, err))
	}
	return n >= c.Limit, nil
}

// Record counts an event of key now. Every error is Unavailable.
func (c *Ceiling) Record(ctx context.Context, key string) error {
	err := recordScript.Run(ctx, c.Store.redis, c.key(key), c.Window.Milliseconds(), c.Limit, uuid.NewString()).Err()
	if err != nil && err != redis.Nil { //nolint:errorlint // go-redis returns this value for a script without a result
		return unavailable(fmt.Errorf("ratelimit: %s: %w", c.Name, err))
	}
	return nil
}

// Allowance limits the requests of an API key per minute (in a sliding window) and per day
// (UTC, by Redis's clock). Each key has its own limits, which the caller passes with each
// call. One script checks and counts, so the limits are exact over any number of processes.
// An Allowance is safe for use by many goroutines.
type Allowance struct {
	Store *Store
	Name  string
}

// The windows of an Allowance.
const (
	MinuteWindow = time.Minute
	DayWindow    = 24 * time.Hour
)

// takeScript counts a request in both windows if both limits allow it. A refused request
// counts in neither window. The count of the day is stored with the date, so that a new day
// begins at 0.
var takeScript = redis.NewScript(`
local id, minute, day = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today = math.floor(time[1] / 86400)
local left = (today + 1) * 86400000 - now
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
local inMinute, inDay = redis.call('ZCARD', KEYS[1]), 0
local kept = redis.call('HMGET', KEYS[2], 'day', 'calls')
if tonumber(kept[1]) == today then inDay = tonumber(kept[2]) end
local taken = 0
if inMinute < minute and inDay < day then
  taken, inMinute, inDay = 1, inMinute + 1, inDay + 1
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('PEXPIRE', KEYS[1], 60000)
  redis.call('HSET', KEYS[2], 'day', today, 'calls', inDay)
  redis.call('PEXPIRE', KEYS[2], left)
end
local reset = 60000
local oldest = redis.call('ZRANGE', KEYS[1], math.max(0, inMinute - minute), math.max(0, inMinute - minute), 'WITHSCORES')
if #oldest > 0 then reset = oldest[2] + 60000 - now end
return {taken, inMinute, reset, inDay, left}
`)

// Take counts a request of key within perMinute and perDay, which must be at least 1. It
// returns the quota that has fewer requests left. The error is *Refused if a limit is
// reached, Unavailable if Redis is down.
func (a *Allowance) Take(ctx context.Context, key string, perMinute, perDay int) (Quota, error) {
	stem := "vigueur:allowance:{" + a.Name + ":" + key + "}:"
	reply, err := takeScript.Run(ctx, a.Store.redis, []string{stem + "minute", stem + "day"}, uuid.NewString(), perMinute, perDay).Int64Slice()
	if err != nil {
		return Quota{}, unavailable(fmt.Errorf("ratelimit: %s: %w", a.Name, err))
	}
	quota := func(limit int, counted, reset int64) Quota {
		return Quota{Limit: limit, Remaining: max(0, limit-int(counted)), Reset: time.Duration(reset) * time.Millisecond}
	}
	nearer, other := quota(perMinute, reply[1], reply[2]), quota(perDay, reply[3], reply[4])
	if other.Remaining < nearer.Remaining || other.Remaining == nearer.Remaining && other.Reset > nearer.Reset {
		nearer = other // if neither quota has requests left, return the one that resets later
	}
	if reply[0] == 0 {
		return nearer, &Refused{Quota: nearer, cause: errs.Newf(errs.TooMany, "Le quota de cette clé est épuisé. Réessayez dans %s.", inFrench(nearer.Reset))}
	}
	return nearer, nil
}
