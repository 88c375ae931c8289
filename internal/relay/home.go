package relay

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/redisurl"
)

// home is one process's end at one of the Redis servers. Its methods are safe for use by
// many goroutines.
type home struct {
	name    string // as answers are spread by
	redis   redis.UniversalClient
	commits *committer
	limits  limits
	log     *slog.Logger

	away atomic.Int64 // Unix nanoseconds until which no new answer is begun here

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

// openHome connects to the Redis at an address lazily.
func openHome(address redisurl.Address, log *slog.Logger) (*home, error) {
	client, err := address.Client()
	if err != nil {
		return nil, err
	}
	return &home{name: address.Name(), redis: client, commits: &committer{redis: client, limit: usual.send}, limits: usual, log: log,
		topics: map[string]*topic{}, pubsub: client.Subscribe(context.Background())}, nil
}

// ping tells whether Redis answers.
func (r *home) ping(ctx context.Context) error { return r.note(unavailable(r.redis.Ping(ctx).Err())) }

// run dispatches what is published until ctx ends; then it closes the
// connections, and every subscription ends.
func (r *home) run(ctx context.Context) error {
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

func (r *home) dispatch(message any) {
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
func (r *home) join(ctx context.Context, channel string) (*reader, error) {
	who := newReader()
	t, err := r.add(ctx, channel, who)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, r.limits.join)
	defer cancel()
	select {
	case <-t.confirmed:
		return who, r.note(nil)
	case <-wait.Done():
		r.leave(channel, who)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, r.note(unavailable(wait.Err()))
	}
}

// awayFor is how long no new answer is begun at a Redis that has failed.
const awayFor = 5 * time.Second

// note remembers whether the Redis answered, and gives the error on.
func (r *home) note(err error) error {
	if err == nil {
		r.away.Store(0)
	} else {
		r.away.Store(time.Now().Add(awayFor).UnixNano())
	}
	return err
}

// isAway tells whether it has failed a moment ago.
func (r *home) isAway() bool { return r.away.Load() > time.Now().UnixNano() }

func (r *home) add(ctx context.Context, channel string, who *reader) (*topic, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.topics[channel]
	if t == nil {
		t = &topic{confirmed: make(chan struct{}), readers: map[*reader]struct{}{}}
		if err := r.pubsub.Subscribe(ctx, channel); err != nil {
			// go-redis has noted the channel and would subscribe on reconnection.
			_ = r.pubsub.Unsubscribe(ctx, channel)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, r.note(unavailable(err))
		}
		r.topics[channel] = t
	}
	t.readers[who] = struct{}{}
	return t, nil
}

// leave removes a reader; the last one of a channel ends the subscription.
func (r *home) leave(channel string, who *reader) {
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
