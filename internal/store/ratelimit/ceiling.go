package ratelimit

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

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

// Memory remembers keys for the time Life.
type Memory struct {
	Store *Store
	Name  string
	Life  time.Duration
}

func (m *Memory) key(key string) string { return "vigueur:memory:" + m.Name + ":" + key }

// Keep remembers key from now on. Every error is Unavailable.
func (m *Memory) Keep(ctx context.Context, key string) error {
	return unavailable(m.Store.redis.Set(ctx, m.key(key), 1, m.Life).Err())
}

// Has reports whether key is remembered. Every error is Unavailable.
func (m *Memory) Has(ctx context.Context, key string) (bool, error) {
	n, err := m.Store.redis.Exists(ctx, m.key(key)).Result()
	return n > 0, unavailable(err)
}
