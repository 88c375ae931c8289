// Package queue hands work to workers through asynq. A task is a hint: it
// carries the id of a row and nothing else, and the row decides. So a task that
// is lost costs a few seconds until the sweep gives another, and a task that
// comes twice finds its row taken.
//
// asynq's own retries are switched off for the same reason: what is to be tried
// again says so in its row. Each class of work has a server of its own, because
// weighted queues within one server isolate nothing: answers never wait behind
// ingestions.
package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"

	"vigueur/internal/errs"
	"vigueur/internal/redisurl"
	"vigueur/internal/trace"
)

// Class is a class of work: a queue, and the servers that read it.
type Class struct {
	Name string // the queue's
	Task string // what asynq calls its tasks
	// Limit is the longest a task may run before its context ends. The lease, not
	// this, notices a worker that died; this ends a worker that hangs.
	Limit time.Duration
}

// The classes of work.
var (
	Answers       = Class{"answers", "answer:run", 10 * time.Minute}
	Ingestions    = Class{"ingestions", "ingestion:run", 24 * time.Hour}
	Notifications = Class{"notifications", "notification:run", 5 * time.Minute}
	Titles        = Class{"titles", "titles:run", time.Hour}
	Embeddings    = Class{"embeddings", "embedding:run", 24 * time.Hour}
	Passages      = Class{"passages", "passages:run", 24 * time.Hour}
)

// Classes lists every class of the product.
func Classes() []Class {
	return []Class{Answers, Ingestions, Notifications, Titles, Embeddings, Passages}
}

// Client enqueues tasks. It is safe for use by many goroutines.
type Client struct {
	client    *asynq.Client
	inspector *asynq.Inspector
}

// NewClient connects to the Redis at url lazily; it fails only when url is no
// Redis address.
func NewClient(url string) (*Client, error) {
	to, inspected, err := connect(url)
	if err != nil {
		return nil, err
	}
	return &Client{client: asynq.NewClient(to), inspector: asynq.NewInspector(inspected)}, nil
}

// connection is a client that asynq is given: asynq's own reading of addresses
// knows no user, and another form for Sentinel.
type connection struct{ client any }

// MakeRedisClient is what asynq asks for, once for each connection.
func (c connection) MakeRedisClient() any { return c.client }

// connect opens two clients, because whoever is given one closes it.
func connect(url string) (one, other asynq.RedisConnOpt, err error) {
	first, err := redisurl.Open(url)
	if err != nil {
		return nil, nil, err
	}
	second, err := redisurl.Open(url)
	if err != nil {
		return nil, nil, err
	}
	return connection{first}, connection{second}, nil
}

// Close ends the connections.
func (c *Client) Close() error {
	inspected := c.inspector.Close()
	if err := c.client.Close(); err != nil {
		return fmt.Errorf("queue: close: %w", err)
	}
	return inspected
}

// Ping tells whether Redis answers.
func (c *Client) Ping(context.Context) error { return unavailable(c.client.Ping()) }

// traceHeader is where a task carries the trace of the request that gave the hint.
const traceHeader = "traceparent"

// Enqueue hints that the row id waits for a worker of the class. Unavailable when
// Redis is down: the sweep will give the hint.
//
// The task has no TaskID: asynq keeps an id taken while a dead worker's task waits
// for recovery, a minute or more, and the sweep's hint would be refused.
func (c *Client) Enqueue(ctx context.Context, class Class, id uuid.UUID) error {
	task := asynq.NewTask(class.Task, id[:])
	if carried := trace.Carry(ctx); carried != "" {
		task = asynq.NewTaskWithHeaders(class.Task, id[:], map[string]string{traceHeader: carried})
	}
	_, err := c.client.EnqueueContext(ctx, task,
		asynq.Queue(class.Name), asynq.MaxRetry(0), asynq.Timeout(class.Limit))
	return unavailable(err)
}

// Workers counts the processes that read the class of the given name.
func (c *Client) Workers(class string) (int, error) {
	servers, err := c.inspector.Servers()
	if err != nil {
		return 0, unavailable(err)
	}
	n := 0
	for _, s := range servers {
		if _, reads := s.Queues[class]; reads {
			n++
		}
	}
	return n, nil
}

func unavailable(err error) error {
	return errs.Wrap(errs.Unavailable, "Redis ne répond pas. Démarrez-le : scripts/services start", err)
}
