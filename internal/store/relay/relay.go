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
//
// Answers may be spread over several Redis servers: a hash of the answer's id and the
// servers' names assigns each answer to one server. If a server is down, its answers are
// streamed from their rows. Answers on other servers are not affected, and a new answer
// gets an id that is assigned to another server.
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

	"vigueur/internal/store/redisurl"
)

// Relay is this process's client of all Redis servers. Its methods are safe for use by many
// goroutines.
type Relay struct {
	servers []*server
}

// Open returns a Relay for one or several Redis servers, which connects when it is first
// used. addresses are separated by blanks; their order does not matter.
func Open(addresses string, log *slog.Logger) (*Relay, error) {
	list, err := redisurl.ParseList(addresses)
	if err != nil {
		return nil, err
	}
	r := &Relay{}
	for _, address := range list {
		h, err := openServer(address, log)
		if err != nil {
			return nil, err
		}
		r.servers = append(r.servers, h)
	}
	return r, nil
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

// serverOf returns the server that an answer is assigned to: the one with the highest hash
// of its name and the answer's id (rendezvous hashing, Thaler and Ravishankar 1998). So an
// additional server takes over some answers from each of the others, and all other answers
// stay where they are.
func (r *Relay) serverOf(id uuid.UUID) *server {
	best, most := r.servers[0], uint64(0)
	if len(r.servers) == 1 {
		return best
	}
	for _, h := range r.servers {
		if w := weight(h.name, id); w >= most {
			best, most = h, w
		}
	}
	return best
}

// weight hashes the name and the id. The last steps, from MurmurHash3, mix the bits of FNV,
// whose high bits hardly depend on the last bytes.
func weight(name string, id uuid.UUID) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name)) // never fails
	_, _ = sum.Write(id[:])
	x := sum.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Subscribe follows the answer id, beginning after the event with number after (0: from the
// start). It returns once Redis has confirmed the subscription: no event that is published
// later is missed. Unavailable if the answer's server is down. The caller must call Close.
func (r *Relay) Subscribe(ctx context.Context, id uuid.UUID, after int64) (*Subscription, error) {
	return r.serverOf(id).subscribe(ctx, id, after)
}

// Begin makes the id of a new answer with newID. It chooses an id that is assigned to a
// server that responds, and subscribes to the answer. Unavailable if no server responds.
// The caller must call Close.
func (r *Relay) Begin(ctx context.Context, newID func() uuid.UUID) (id uuid.UUID, s *Subscription, err error) {
	tried := map[*server]bool{}
	for range r.servers {
		id = r.choose(newID, tried)
		if s, err = r.Subscribe(ctx, id, 0); err == nil || ctx.Err() != nil {
			return id, s, err
		}
		tried[r.serverOf(id)] = true
	}
	return id, nil, err
}

// draws is the number of ids that are made to find one that is assigned to a server that is
// up. If half of the servers are down, one in 2^64 searches fails.
const draws = 64

// choose returns an id of a server that was not tried and is up. If all such servers are
// down, it returns an id of one that was not tried.
func (r *Relay) choose(newID func() uuid.UUID, tried map[*server]bool) (id uuid.UUID) {
	var second uuid.UUID
	for range draws {
		id = newID()
		h := r.serverOf(id)
		if !tried[h] {
			if !h.isDown() {
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

// Publisher returns a Publisher for an attempt. For every attempt except the first it sends
// a reset event, so that readers drop the text of the earlier attempt.
func (r *Relay) Publisher(ctx context.Context, id uuid.UUID, attempt int) *Publisher {
	return r.serverOf(id).publisher(ctx, id, attempt)
}

// Cancel asks the worker that writes the answer id, if there is one, to stop.
func (r *Relay) Cancel(ctx context.Context, id uuid.UUID) error {
	return r.serverOf(id).cancel(ctx, id)
}

// WatchCancel calls stop once the answer id is canceled, or at once if it was canceled
// before. It returns when ctx ends or after it has called stop. Without Redis it returns at
// once: each renewal of the lease reads the cancellation from the row.
func (r *Relay) WatchCancel(ctx context.Context, id uuid.UUID, stop func()) {
	r.serverOf(id).watchCancel(ctx, id, stop)
}

// Servers returns the names of the Redis servers (host:port/database), and for each a
// function that checks whether the server responds.
func (r *Relay) Servers() (names []string, ping []func(ctx context.Context) error) {
	for _, h := range r.servers {
		names, ping = append(names, h.name), append(ping, h.ping)
	}
	return names, ping
}

// Ping checks whether answers can be streamed, that is, whether any Redis server takes what is written.
func (r *Relay) Ping(ctx context.Context) error {
	_, err := r.pings(ctx)
	if slices.Contains(err, nil) {
		return nil
	}
	return errors.Join(err...)
}

// DownServers pings every Redis server. It returns a function that reports whether the
// server of an answer is down.
func (r *Relay) DownServers(ctx context.Context) func(id uuid.UUID) bool {
	servers, err := r.pings(ctx)
	return func(id uuid.UUID) bool { return err[slices.Index(servers, r.serverOf(id))] != nil }
}

func (r *Relay) pings(ctx context.Context) ([]*server, []error) {
	failed := make([]error, len(r.servers))
	var all sync.WaitGroup
	for i, h := range r.servers {
		all.Go(func() { failed[i] = h.ping(ctx) })
	}
	all.Wait()
	return r.servers, failed
}

// Run dispatches published messages until ctx ends. Then it closes the connections, which
// ends every subscription.
func (r *Relay) Run(ctx context.Context) error {
	failed := make([]error, len(r.servers))
	var all sync.WaitGroup
	for i, h := range r.servers {
		all.Go(func() { failed[i] = h.run(ctx) })
	}
	all.Wait()
	return errors.Join(failed...)
}

func unavailable(err error) error { return redisurl.Away(err) }
