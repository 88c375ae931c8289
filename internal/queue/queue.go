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

// Class is a class of work: a queue and the server that reads it.
type Class string

// The classes of work.
const (
	Answers       Class = "answers"
	Ingestions    Class = "ingestions"
	Notifications Class = "notifications"
	Titles        Class = "titles"
	Embeddings    Class = "embeddings"
	Passages      Class = "passages"
)

// Classes lists every class.
func Classes() []Class {
	return []Class{Answers, Ingestions, Notifications, Titles, Embeddings, Passages}
}

// Each class has one kind of task.
const (
	kindAnswer       = "answer:run"
	kindIngestion    = "ingestion:run"
	kindNotification = "notification:run"
	kindTitles       = "titles:run"
	kindEmbedding    = "embedding:run"
	kindPassages     = "passages:run"
)

// The longest a task may run before its context ends. The lease, not this,
// notices a worker that died; this ends a worker that hangs.
const (
	answerTimeout       = 10 * time.Minute
	ingestionTimeout    = 24 * time.Hour
	notificationTimeout = 5 * time.Minute
	titlesTimeout       = time.Hour
	embeddingTimeout    = 24 * time.Hour
	passagesTimeout     = 24 * time.Hour
)

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

// EnqueueAnswer hints that the answer id waits for a worker. Unavailable when
// Redis is down: the sweep will give the hint.
func (c *Client) EnqueueAnswer(ctx context.Context, id uuid.UUID) error {
	return c.enqueue(ctx, kindAnswer, id, Answers, answerTimeout)
}

// EnqueueIngestion hints that the ingestion id waits for a worker.
func (c *Client) EnqueueIngestion(ctx context.Context, id uuid.UUID) error {
	return c.enqueue(ctx, kindIngestion, id, Ingestions, ingestionTimeout)
}

// EnqueueNotification hints that the inquiry id waits to be told of.
func (c *Client) EnqueueNotification(ctx context.Context, id uuid.UUID) error {
	return c.enqueue(ctx, kindNotification, id, Notifications, notificationTimeout)
}

// EnqueueTitles hints that the title index is behind the catalogue.
func (c *Client) EnqueueTitles(ctx context.Context, id uuid.UUID) error {
	return c.enqueue(ctx, kindTitles, id, Titles, titlesTimeout)
}

// EnqueueEmbedding hints that passages wait for vectors of the generation id.
func (c *Client) EnqueueEmbedding(ctx context.Context, id uuid.UUID) error {
	return c.enqueue(ctx, kindEmbedding, id, Embeddings, embeddingTimeout)
}

// EnqueuePassages hints that the passage index is behind the catalogue.
func (c *Client) EnqueuePassages(ctx context.Context, id uuid.UUID) error {
	return c.enqueue(ctx, kindPassages, id, Passages, passagesTimeout)
}

// traceHeader is where a task carries the trace of the request that gave the hint.
const traceHeader = "traceparent"

// enqueue sends one task. It has no TaskID: asynq keeps an id taken while a dead
// worker's task waits for recovery, a minute or more, and the sweep's hint
// would be refused.
func (c *Client) enqueue(ctx context.Context, kind string, id uuid.UUID, class Class, timeout time.Duration) error {
	task := asynq.NewTask(kind, id[:])
	if carried := trace.Carry(ctx); carried != "" {
		task = asynq.NewTaskWithHeaders(kind, id[:], map[string]string{traceHeader: carried})
	}
	_, err := c.client.EnqueueContext(ctx, task,
		asynq.Queue(string(class)), asynq.MaxRetry(0), asynq.Timeout(timeout))
	return unavailable(err)
}

// Workers counts the processes that read the given class.
func (c *Client) Workers(class Class) (int, error) {
	servers, err := c.inspector.Servers()
	if err != nil {
		return 0, unavailable(err)
	}
	n := 0
	for _, s := range servers {
		if _, reads := s.Queues[string(class)]; reads {
			n++
		}
	}
	return n, nil
}

func unavailable(err error) error {
	return errs.Wrap(errs.Unavailable, "Redis ne répond pas. Démarrez-le : scripts/services start", err)
}
