package relay

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/store/redisurl"
)

// server is this process's client of one Redis server: its connections, its subscriptions,
// and whether the server responded last time. Its methods are safe for use by many
// goroutines.
type server struct {
	name    string // name, which is hashed to assign answers
	redis   redis.UniversalClient
	batches *batcher
	limits  limits
	log     *slog.Logger

	downUntil atomic.Int64 // Unix nanoseconds; no new answer is assigned to the server before this time

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

// openServer returns the client of the Redis server at an address. It connects when it is
// first used.
func openServer(address redisurl.Address, log *slog.Logger) (*server, error) {
	client, err := address.Client()
	if err != nil {
		return nil, err
	}
	return &server{name: address.Name(), redis: client, batches: &batcher{redis: client, limit: usual.send}, limits: usual, log: log,
		topics: map[string]*topic{}, pubsub: client.Subscribe(context.Background())}, nil
}

// aliveKey is the key that ping writes.
const aliveKey = "vigueur:alive"

// ping returns nil if Redis takes what is written: one that is full, or a replica, responds and
// stores nothing.
func (r *server) ping(ctx context.Context) error {
	return r.recordHealth(unavailable(r.redis.Set(ctx, aliveKey, 1, time.Minute).Err()))
}

// run dispatches published messages until ctx ends. Then it closes the connections, which
// ends every subscription.
func (r *server) run(ctx context.Context) error {
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

func (r *server) dispatch(message any) {
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

// confirm records that Redis confirmed the subscription. A further confirmation follows a
// reconnection: messages may have been missed, so every reader must read the log.
func (t *topic) confirm() {
	again := true
	t.once.Do(func() { close(t.confirmed); again = false })
	if again {
		for reader := range t.readers {
			reader.readLogNext()
		}
	}
}

func (t *topic) deliver(payload string) {
	for reader := range t.readers {
		reader.push(payload)
	}
}

// join adds a reader to a channel and waits until Redis has confirmed this process's
// subscription to it. The caller must call leave once.
func (r *server) join(ctx context.Context, channel string) (*reader, error) {
	rd := newReader()
	t, err := r.add(ctx, channel, rd)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, r.limits.join)
	defer cancel()
	select {
	case <-t.confirmed:
		return rd, r.recordHealth(nil)
	case <-wait.Done():
		r.leave(channel, rd)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, r.recordHealth(unavailable(wait.Err()))
	}
}

// downFor is how long no new answer is assigned to a server after it failed.
const downFor = 5 * time.Second

// recordHealth records whether Redis responded, and returns err unchanged.
func (r *server) recordHealth(err error) error {
	if err == nil {
		r.downUntil.Store(0)
	} else {
		r.downUntil.Store(time.Now().Add(downFor).UnixNano())
	}
	return err
}

// isDown reports whether Redis failed within the last downFor.
func (r *server) isDown() bool { return r.downUntil.Load() > time.Now().UnixNano() }

func (r *server) add(ctx context.Context, channel string, rd *reader) (*topic, error) {
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
			return nil, r.recordHealth(unavailable(err))
		}
		r.topics[channel] = t
	}
	t.readers[rd] = struct{}{}
	return t, nil
}

// leave removes a reader. When the last reader of a channel leaves, the subscription ends.
func (r *server) leave(channel string, rd *reader) {
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
