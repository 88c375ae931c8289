// Package queue wakes workers through asynq. A task is only a hint that a row waits: it
// carries the id of the row, and the row decides what is done. So a lost task costs a few
// seconds, until the sweep of package work enqueues another, and the second copy of a task
// finds its row leased.
//
// asynq's own retries are disabled for the same reason: the row records whether a job is
// retried. Each kind of job has its own server, so that answers never wait behind
// ingestions; with weighted queues in one server they could.
package queue

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"

	"vigueur/internal/kit/trace"
	"vigueur/internal/store/redisurl"
)

// Client enqueues tasks. It is safe for use by many goroutines.
type Client struct {
	client    *asynq.Client
	inspector *asynq.Inspector
}

// NewClient connects to the Redis at url lazily; it fails only if url is not the address
// of a Redis.
func NewClient(url string) (*Client, error) {
	redisConnOpt, inspected, err := connect(url)
	if err != nil {
		return nil, err
	}
	return &Client{client: asynq.NewClient(redisConnOpt), inspector: asynq.NewInspector(inspected)}, nil
}

// connection passes a client to asynq, because asynq's own parser of addresses does not
// support user names.
type connection struct{ client any }

// MakeRedisClient implements asynq.RedisConnOpt.
func (c connection) MakeRedisClient() any { return c.client }

// connect opens two clients, because asynq's client and its inspector each close theirs.
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

// Close closes the connections.
func (c *Client) Close() error {
	inspected := c.inspector.Close()
	if err := c.client.Close(); err != nil {
		return fmt.Errorf("queue: close: %w", err)
	}
	return inspected
}

// Ping checks whether Redis responds.
func (c *Client) Ping(context.Context) error { return unavailable(c.client.Ping()) }

// traceHeader is the header of a task that carries the trace context of the request.
const traceHeader = "traceparent"

// Enqueue adds a task for the row id, which waits for a worker of the kind. Unavailable
// when Redis is down: the sweep then enqueues the row later.
//
// The task has no TaskID: asynq keeps the id of a crashed worker's task in use until the
// task is recovered, a minute or more, and would refuse the sweep's task.
func (c *Client) Enqueue(ctx context.Context, kind Kind, id uuid.UUID) error {
	task := asynq.NewTask(kind.Task, id[:])
	if carried := trace.Carry(ctx); carried != "" {
		task = asynq.NewTaskWithHeaders(kind.Task, id[:], map[string]string{traceHeader: carried})
	}
	_, err := c.client.EnqueueContext(ctx, task,
		asynq.Queue(kind.Queue), asynq.MaxRetry(0), asynq.Timeout(kind.Limit))
	return unavailable(err)
}

// Workers counts the processes that read a queue.
func (c *Client) Workers(queue string) (int, error) {
	servers, err := c.inspector.Servers()
	if err != nil {
		return 0, unavailable(err)
	}
	n := 0
	for _, s := range servers {
		if _, reads := s.Queues[queue]; reads {
			n++
		}
	}
	return n, nil
}

func unavailable(err error) error { return redisurl.Away(err) }
