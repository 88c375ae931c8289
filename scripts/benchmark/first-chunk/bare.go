package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/relay"
	"vigueur/internal/work/queue"
)

// queueAndRelay measures n times from enqueueing an answer's task to its first
// event at the reader, with nothing done in between.
func queueAndRelay(ctx context.Context, redis string, n int) ([]time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	// Writer and reader are two processes in life: each has its own relay.
	writer, err := relay.Open(redis, quiet)
	if err != nil {
		return nil, err
	}
	reader, err := relay.Open(redis, quiet)
	if err != nil {
		return nil, err
	}
	for _, r := range []*relay.Relay{writer, reader} {
		go func() { _ = r.Run(ctx) }() // it ends with ctx
	}
	client, err := queue.NewClient(redis)
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }()
	server, err := queue.NewServer(queue.Options{RedisURL: redis, Kind: queue.Answers, Concurrency: 16,
		PollEvery: 4 * time.Millisecond, Log: quiet, Handle: func(ctx context.Context, id uuid.UUID) {
			p := writer.Publisher(ctx, id, 1)
			p.Text(ctx, "x")
		}})
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	defer server.Stop()
	times := make([]time.Duration, n)
	for i := range times {
		if times[i], err = once(ctx, client, reader); err != nil {
			return nil, err
		}
	}
	return times, nil
}

func once(ctx context.Context, client *queue.Client, reader *relay.Relay) (time.Duration, error) {
	id := uuid.New()
	sub, err := reader.Subscribe(ctx, id, 0)
	if err != nil {
		return 0, err
	}
	defer sub.Close()
	began := time.Now()
	if err := client.Enqueue(ctx, queue.Answers, id); err != nil {
		return 0, err
	}
	for {
		<-sub.Ready()
		if events, more := sub.Take(ctx); len(events) > 0 || !more {
			return time.Since(began), nil
		}
	}
}
