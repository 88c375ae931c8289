// Command relay sends tokens from writers to readers of 1,000 answers through Redis, beside bare XADD + PUBLISH and PUBLISH.
//
// One process's relay writes, another's reads, as worker and API do; both are in this program, with a Redis of their own
// on the same machine. Tokens are given to the relay as fast as it takes them, and counted where a stream would send them
// on: those of one answer that come within 20 ms travel in one event. The peers are what go-redis and Redis do by
// themselves: a token in each command, with the same fields, for as many answers from as many goroutines, and one
// connection that hears them all. event_share_of_xadd_publish counts events instead of tokens. Then tokens are sent at half the
// rate that events had, each by itself with the moment it was due.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"vigueur/internal/queue/redistest"
	"vigueur/scripts/benchmark/report"
)

func main() {
	streams := flag.Int("streams", 1000, "answers")
	span := flag.Duration("span", 5*time.Second, "how long each measurement takes")
	flag.Parse()
	if err := run(context.Background(), *streams, *span); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writers is how many goroutines write the answers of all streams.
const writers = 64

func run(ctx context.Context, streams int, span time.Duration) (err error) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		return fmt.Errorf("no redis-server: scripts/setup installs it: %w", err)
	}
	r := report.New("relay", report.ThisMachine())
	dir, err := os.MkdirTemp("", "bench-relay-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	redis, err := redistest.Open(dir)
	if err != nil {
		return err
	}
	defer redis.Stop()
	b := &bench{url: redis.URL(), streams: streams, span: span}
	// By turns, so that what else the machine does meets all alike.
	var own, both, publish []float64
	for range 3 {
		for _, m := range []struct {
			rates *[]float64
			one   func(context.Context) (float64, error)
		}{{&both, b.xaddPublish}, {&own, b.relayed}, {&publish, b.publish}} {
			if err := redis.Flush(); err != nil {
				return err
			}
			rate, err := m.one(ctx)
			if err != nil {
				return err
			}
			*m.rates = append(*m.rates, rate)
		}
	}
	times, err := b.paced(ctx, min(middle(b.events), middle(both))/2)
	if err != nil {
		return err
	}
	r.Figure("streams", float64(streams), "")
	r.Figure("tokens_per_s", middle(own), "tokens/s")
	r.Figure("events_per_s", middle(b.events), "events/s, each of one or more tokens, each one XADD and one PUBLISH")
	r.Figure("event_share_of_xadd_publish", middle(b.events)/middle(both), "")
	r.Figure("share_of_xadd_publish", middle(own)/middle(both), "")
	r.Goal("share_of_xadd_publish", report.AtLeast, 0.9)
	r.Figure("p50_ms", quantile(times, .5), "ms")
	r.Figure("p99_ms", quantile(times, .99), "ms")
	r.Goal("p99_ms", report.AtMost, 10)
	r.Peer("XADD + PUBLISH", "tokens_per_s", middle(both))
	r.Peer("PUBLISH", "tokens_per_s", middle(publish))
	return r.Print(os.Stdout)
}
