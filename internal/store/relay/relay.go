// Package relay carries the events of an answer through Redis, from the worker that writes
// the answer to the HTTP servers that stream it to clients.
//
// A worker appends each event to a short log (a Redis stream whose ids are attempt-number)
// and publishes it by pub/sub, in one pipeline. A reader subscribes, waits for the
// confirmation, reads the log, and then follows the published events and drops those that
// it has. So no event is lost between log and live events. One PubSub connection serves all
// readers of a process. The dispatcher never blocks: a reader that is too slow, and every
// reader after a reconnection, reads the log again.
//
// The log is a cache; the row in PostgreSQL is authoritative. If the log was emptied while
// an answer runs and a gap cannot be filled, the subscription ends, and the caller reads
// the row.
package relay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/store/redisurl"
)

// Relay is this process's client of Redis: its connections and its subscriptions. Its
// methods are safe for use by many goroutines.
type Relay struct {
	redis  *redis.Client
	limits limits
	log    *slog.Logger

	mu     sync.Mutex
	pubsub *redis.PubSub
	topics map[string]*topic
}

// limits holds the timeouts of Redis: send for writing an event, which blocks a worker, and
// join for confirming a subscription, which blocks a reader.
type limits struct{ send, join time.Duration }

var usual = limits{send: time.Second, join: 3 * time.Second}

// topic is a channel to which this process has subscribed, with its readers.
type topic struct {
	confirmed chan struct{} // closed when Redis has confirmed the subscription
	once      sync.Once
	readers   map[*reader]struct{}
}

// Open returns a Relay, which connects when it is first used.
func Open(address string, log *slog.Logger) (*Relay, error) {
	client, err := redisurl.Open(address)
	if err != nil {
		return nil, err
	}
	return &Relay{redis: client, limits: usual, log: log, topics: map[string]*topic{}, pubsub: client.Subscribe(context.Background())}, nil
}

// LogTo sends the messages of go-redis to log, for the whole process. These messages are
// about failed dials, which callers also get as errors, so they are logged at the debug
// level only. LogTo must be called at most once, before the first Open.
func LogTo(log *slog.Logger) { redis.SetLogger(dialLog{log}) }

// dialLog implements the logger interface of go-redis.
type dialLog struct{ log *slog.Logger }

func (l dialLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.DebugContext(ctx, "go-redis", "text", fmt.Sprintf(format, args...))
}

// aliveKey is the key that Ping writes.
const aliveKey = "vigueur:alive"

// Ping returns nil if Redis takes what is written: one that is full, or a replica, responds and
// stores nothing.
func (r *Relay) Ping(ctx context.Context) error {
	return redisurl.Away(r.redis.Set(ctx, aliveKey, 1, time.Minute).Err())
}

// Pool holds statistics of this process's Redis connections for streams.
type Pool struct {
	Used, Idle int
	Timeouts   int64 // number of timed-out waits for a connection, since the process started
}

// Pool returns the statistics of the connections.
func (r *Relay) Pool() Pool {
	s := r.redis.PoolStats()
	return Pool{Used: int(s.TotalConns) - int(s.IdleConns), Idle: int(s.IdleConns), Timeouts: int64(s.Timeouts)}
}

// Forget deletes the logs of answers before they expire. A reader that subscribes later
// gets the answer from its row, if the row exists.
func (r *Relay) Forget(ctx context.Context, ids ...uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = logKey(id)
	}
	return redisurl.Away(r.redis.Del(ctx, keys...).Err())
}

// cancelLife is how long Redis keeps a cancellation, for a worker that has not begun yet.
// The row of the answer keeps it permanently.
const cancelLife = time.Hour

// Cancel asks the worker that writes the answer id, if there is one, to stop.
func (r *Relay) Cancel(ctx context.Context, id uuid.UUID) error {
	if err := r.redis.Set(ctx, cancelKey(id), 1, cancelLife).Err(); err != nil {
		return redisurl.Away(err)
	}
	return redisurl.Away(r.redis.Publish(ctx, cancelChannel(id), "").Err())
}

// WatchCancel calls stop once the answer id is canceled, or at once if it was canceled
// before. It returns when ctx ends or after it has called stop. Without Redis it returns at
// once: each renewal of the lease reads the cancellation from the row.
func (r *Relay) WatchCancel(ctx context.Context, id uuid.UUID, stop func()) {
	channel := cancelChannel(id)
	rd, err := r.join(ctx, channel)
	if err != nil {
		return
	}
	defer r.leave(channel, rd)
	for {
		if n, err := r.redis.Exists(ctx, cancelKey(id)).Result(); err == nil && n > 0 {
			stop()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-rd.wake:
			rd.take()
		}
	}
}

// Run dispatches published messages until ctx ends. Then it closes the connections, which
// ends every subscription.
func (r *Relay) Run(ctx context.Context) error {
	incoming := r.pubsub.ChannelWithSubscriptions(redis.WithChannelSize(4096), redis.WithChannelHealthCheckInterval(3*time.Second))
	for {
		select {
		case <-ctx.Done():
			return errors.Join(r.pubsub.Close(), r.redis.Close())
		case message := <-incoming:
			r.dispatch(message)
		}
	}
}

// dispatch hands a message to the readers of its channel. A second confirmation follows a
// reconnection: messages may have been missed, so every reader must read the log.
func (r *Relay) dispatch(message any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch m := message.(type) {
	case *redis.Subscription:
		t := r.topics[m.Channel]
		if t == nil || m.Kind != "subscribe" {
			return
		}
		again := true
		t.once.Do(func() { close(t.confirmed); again = false })
		for reader := range t.readers {
			if again {
				reader.readLogNext()
			}
		}
	case *redis.Message:
		if t := r.topics[m.Channel]; t != nil {
			for reader := range t.readers {
				reader.push(m.Payload)
			}
		}
	}
}

// join adds a reader to a channel and waits until Redis has confirmed this process's
// subscription to it. The caller must call leave once.
func (r *Relay) join(ctx context.Context, channel string) (*reader, error) {
	rd := newReader()
	t, err := r.add(ctx, channel, rd)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, r.limits.join)
	defer cancel()
	select {
	case <-t.confirmed:
		return rd, nil
	case <-wait.Done():
		r.leave(channel, rd)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, redisurl.Away(wait.Err())
	}
}

func (r *Relay) add(ctx context.Context, channel string, rd *reader) (*topic, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.topics[channel]
	if t == nil {
		t = &topic{confirmed: make(chan struct{}), readers: map[*reader]struct{}{}}
		if err := r.pubsub.Subscribe(ctx, channel); err != nil {
			// go-redis has recorded the channel and would subscribe to it after a reconnection.
			_ = r.pubsub.Unsubscribe(ctx, channel)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, redisurl.Away(err)
		}
		r.topics[channel] = t
	}
	t.readers[rd] = struct{}{}
	return t, nil
}

// leave removes a reader. When the last reader of a channel leaves, the subscription ends.
func (r *Relay) leave(channel string, rd *reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.topics[channel]
	if t == nil {
		return
	}
	delete(t.readers, rd)
	if len(t.readers) > 0 {
		return
	}
	delete(r.topics, channel)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := r.pubsub.Unsubscribe(ctx, channel); err != nil {
		r.log.Debug("relay: unsubscribe", "error", err) // the connection is lost, and with it the subscription
	}
}
