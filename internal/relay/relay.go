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
package relay

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/errs"
	"vigueur/internal/redisurl"
)

// Relay is one process's end. Its methods are safe for use by many goroutines.
type Relay struct {
	redis   redis.UniversalClient
	commits *committer
	limits  limits
	log     *slog.Logger

	mu     sync.Mutex
	pubsub *redis.PubSub
	topics map[string]*topic
}

// limits are how long Redis is waited for: to take an event, which holds a worker
// up, and to confirm a subscription, which holds a reader up.
type limits struct{ send, join time.Duration }

var usual = limits{send: time.Second, join: 3 * time.Second}

// topic is a channel that this process has subscribed to, with its readers.
type topic struct {
	confirmed chan struct{} // closed when Redis has confirmed
	once      sync.Once
	readers   map[*reader]struct{}
}

// Open connects to the Redis at url lazily.
func Open(url string, log *slog.Logger) (*Relay, error) {
	client, err := redisurl.Open(url)
	if err != nil {
		return nil, err
	}
	return &Relay{redis: client, commits: &committer{redis: client, limit: usual.send}, limits: usual, log: log,
		topics: map[string]*topic{}, pubsub: client.Subscribe(context.Background())}, nil
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

// Ping tells whether Redis answers.
func (r *Relay) Ping(ctx context.Context) error { return unavailable(r.redis.Ping(ctx).Err()) }

// Run dispatches what is published until ctx ends; then it closes the
// connections, and every subscription ends.
func (r *Relay) Run(ctx context.Context) error {
	incoming := r.pubsub.ChannelWithSubscriptions(redis.WithChannelSize(4096), redis.WithChannelHealthCheckInterval(3*time.Second))
	for {
		select {
		case <-ctx.Done():
			if err := r.pubsub.Close(); err != nil {
				r.log.WarnContext(ctx, "relay: close", "error", err)
			}
			return r.redis.Close()
		case message := <-incoming:
			r.dispatch(message)
		}
	}
}

func (r *Relay) dispatch(message any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch m := message.(type) {
	case *redis.Subscription:
		if t := r.topics[m.Channel]; t != nil && m.Kind == "subscribe" {
			t.confirm()
		}
	case *redis.Message:
		if t := r.topics[m.Channel]; t != nil {
			t.deliver(m.Payload)
		}
	}
}

// confirm notes a confirmation. A second one comes after a reconnection, when
// messages may have been missed.
func (t *topic) confirm() {
	again := true
	t.once.Do(func() { close(t.confirmed); again = false })
	if again {
		for reader := range t.readers {
			reader.fallBehind()
		}
	}
}

func (t *topic) deliver(payload string) {
	for reader := range t.readers {
		reader.hear(payload)
	}
}

// join adds a reader to a channel and waits until Redis has confirmed that the
// process hears it. leave must be called once.
func (r *Relay) join(ctx context.Context, channel string) (*reader, error) {
	who := newReader()
	t, err := r.add(ctx, channel, who)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, r.limits.join)
	defer cancel()
	select {
	case <-t.confirmed:
		return who, nil
	case <-wait.Done():
		r.leave(channel, who)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, unavailable(wait.Err())
	}
}

func (r *Relay) add(ctx context.Context, channel string, who *reader) (*topic, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.topics[channel]
	if t == nil {
		t = &topic{confirmed: make(chan struct{}), readers: map[*reader]struct{}{}}
		if err := r.pubsub.Subscribe(ctx, channel); err != nil {
			// go-redis has noted the channel and would subscribe on reconnection.
			_ = r.pubsub.Unsubscribe(ctx, channel)
			return nil, unavailable(err)
		}
		r.topics[channel] = t
	}
	t.readers[who] = struct{}{}
	return t, nil
}

// leave removes a reader; the last one of a channel ends the subscription.
func (r *Relay) leave(channel string, who *reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.topics[channel]
	if t == nil {
		return
	}
	delete(t.readers, who)
	if len(t.readers) > 0 {
		return
	}
	delete(r.topics, channel)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := r.pubsub.Unsubscribe(ctx, channel); err != nil {
		r.log.Debug("relay: unsubscribe", "error", err) // the connection is gone, and the subscription with it
	}
}

func unavailable(err error) error {
	return errs.Wrap(errs.Unavailable, "Redis ne répond pas. Démarrez-le : scripts/services start", err)
}
