package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/redisurl"
	"vigueur/internal/store/relay"
)

// token is what a model gives at a time.
const token = "préavis "

type bench struct {
	url     string
	streams int
	span    time.Duration
}

// drive has the writers call send for one stream after the other until ctx ends.
func (b *bench) drive(ctx context.Context, send func(stream int)) {
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for s := w; ctx.Err() == nil; s = next(s, w, b.streams) {
				send(s)
			}
		})
	}
	all.Wait()
}

// next is the writer's next stream: each stream has one writer.
func next(stream, writer, streams int) int {
	if stream += writers; stream >= streams {
		return writer
	}
	return stream
}

// open starts a writing and a reading relay and subscribes to every stream;
// heard is called with each event.
func (b *bench) open(ctx context.Context, heard func(chat.Event)) (pubs []*relay.Publisher, leave func(), err error) {
	running, stop := context.WithCancel(ctx)
	var ends [2]*relay.Relay
	var tasks sync.WaitGroup
	for i := range ends {
		if ends[i], err = relay.Open(b.url, slog.New(slog.DiscardHandler)); err != nil {
			stop()
			return nil, nil, err
		}
		tasks.Go(func() { _ = ends[i].Run(running) }) // it ends with running
	}
	var subs []*relay.Subscription
	leave = func() {
		for _, s := range subs {
			s.Close()
		}
		stop()
		tasks.Wait()
	}
	for range b.streams {
		id := uuid.New()
		s, err := ends[1].Subscribe(ctx, id, 0)
		if err != nil {
			leave()
			return nil, nil, err
		}
		subs = append(subs, s)
		tasks.Go(func() {
			for more := true; more; {
				select {
				case <-running.Done():
					return
				case <-s.Ready():
				}
				var events []chat.Event
				events, more = s.Take(running)
				for _, e := range events {
					heard(e)
				}
			}
		})
		pubs = append(pubs, ends[0].Publisher(ctx, id, 1))
	}
	return pubs, leave, nil
}

// relayed is how many tokens a second come out of the relay.
func (b *bench) relayed(ctx context.Context) (float64, error) {
	var got atomic.Int64
	pubs, leave, err := b.open(ctx, func(chat.Event) { got.Add(1) })
	if err != nil {
		return 0, err
	}
	defer leave()
	return b.rate(ctx, &got, func(s int) { write(ctx, pubs[s], token) })
}

// write sends a token by itself.
func write(ctx context.Context, p *relay.Publisher, text string) {
	p.Text(ctx, text)
	p.Flush(ctx)
}

// rate drives for the span, waits until what was sent was heard, and gives the
// tokens a second of the whole.
func (b *bench) rate(ctx context.Context, got *atomic.Int64, send func(int)) (float64, error) {
	var sent atomic.Int64
	limited, cancel := context.WithTimeout(ctx, b.span)
	defer cancel()
	began := time.Now()
	b.drive(limited, func(s int) { send(s); sent.Add(1) })
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(time.Minute); got.Load() < sent.Load(); <-tick.C {
		if time.Now().After(limit) {
			return 0, fmt.Errorf("%d of %d tokens were heard", got.Load(), sent.Load())
		}
	}
	return float64(got.Load()) / time.Since(began).Seconds(), nil
}

// paced sends at a rate and gives the time from the moment that each token was
// due to that when its reader had it.
func (b *bench) paced(ctx context.Context, rate float64) ([]time.Duration, error) {
	var mu sync.Mutex
	var times []time.Duration
	base := time.Now()
	pubs, leave, err := b.open(ctx, func(e chat.Event) {
		due, err := strconv.ParseInt(string(e.Data[len(`{"text":"`):len(e.Data)-2]), 10, 64)
		if err == nil {
			mu.Lock()
			times = append(times, time.Since(base)-time.Duration(due))
			mu.Unlock()
		}
	})
	if err != nil {
		return nil, err
	}
	defer leave()
	interval := time.Duration(float64(time.Second) * writers / rate)
	limited, cancel := context.WithTimeout(ctx, b.span)
	defer cancel()
	var turns [writers]time.Duration
	start := time.Since(base)
	for w := range turns {
		turns[w] = start + interval*time.Duration(w)/writers
	}
	b.drive(limited, func(s int) {
		w := s % writers
		due := turns[w]
		turns[w] += interval
		if wait := due - time.Since(base); wait > 0 {
			time.Sleep(wait)
		}
		write(ctx, pubs[s], strconv.FormatInt(int64(due), 10))
	})
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(times), nil
}

// xaddPublish is what Redis and its client do by themselves.
func (b *bench) xaddPublish(ctx context.Context) (float64, error) {
	return b.bare(ctx, func(pipe redis.Pipeliner, key string, n int64) {
		pipe.XAdd(ctx, &redis.XAddArgs{Stream: key, ID: "1-" + strconv.FormatInt(n, 10), MaxLen: 20_000, Approx: true,
			Values: []string{"k", "chunk", "d", `{"text":"` + token + `"}`}})
		pipe.Publish(ctx, key, strconv.FormatInt(n, 10)+` chunk {"text":"`+token+`"}`)
	})
}

func (b *bench) publish(ctx context.Context) (float64, error) {
	return b.bare(ctx, func(pipe redis.Pipeliner, key string, n int64) {
		pipe.Publish(ctx, key, strconv.FormatInt(n, 10)+` chunk {"text":"`+token+`"}`)
	})
}

func (b *bench) bare(ctx context.Context, commands func(pipe redis.Pipeliner, key string, n int64)) (float64, error) {
	client, err := redisurl.Open(b.url)
	if err != nil {
		return 0, err
	}
	defer func() { _ = client.Close() }() // the figures are taken
	keys, numbers := make([]string, b.streams), make([]int64, b.streams)
	for i := range keys {
		keys[i] = "bench:{" + uuid.NewString() + "}"
	}
	heard := client.Subscribe(ctx, keys...)
	for range keys {
		if _, err := heard.Receive(ctx); err != nil {
			return 0, err
		}
	}
	var got atomic.Int64
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			if _, err := heard.ReceiveMessage(ctx); err != nil {
				return // closed below
			}
			got.Add(1)
		}
	})
	rate, err := b.rate(ctx, &got, func(s int) {
		numbers[s]++
		_, _ = client.Pipelined(ctx, func(pipe redis.Pipeliner) error { // what is lost is missed by rate
			commands(pipe, keys[s], numbers[s])
			return nil
		})
	})
	_ = heard.Close() // so that the reader ends
	reading.Wait()
	return rate, err
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// quantile is the time in ms that the share q of the times does not exceed.
func quantile(times []time.Duration, q float64) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)].Microseconds()) / 1000
}
