// Command relay sends tokens from writers to readers of 1,000 answers through Redis, beside bare XADD + PUBLISH and PUBLISH.
//
// One process's relay writes, another's reads, as worker and API do; both are in this program, with a Redis of their own
// on the same machine. Each token is an event of its own, one XADD and one PUBLISH, which is what an answer has whose tokens
// come more than 20 ms apart; it is counted where a stream would send it on. The peers are what go-redis and Redis do by
// themselves: the same commands with the same fields, for as many answers from as many goroutines, and one connection
// that hears them all. Then tokens are sent at half the peer's rate, each with the moment it was due. What of it reaches
// clients over HTTP, and what that costs, is measured by streams.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"vigueur/internal/work/queue/redistest"
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
	times, err := b.paced(ctx, middle(both)/2)
	if err != nil {
		return err
	}
	r.Figure("streams", float64(streams), "")
	r.Figure("tokens_per_s", middle(own), "tokens/s, each one XADD and one PUBLISH")
	r.Figure("share_of_xadd_publish", middle(own)/middle(both), "")
	r.Goal("share_of_xadd_publish", report.AtLeast, 0.9)
	r.Figure("paced_tokens_per_s", float64(len(times))/span.Seconds(), "tokens/s")
	r.Figure("p50_ms", quantile(times, .5), "ms")
	r.Figure("p99_ms", quantile(times, .99), "ms")
	r.Goal("p99_ms", report.AtMost, 10)
	r.Peer("XADD + PUBLISH", "tokens_per_s", middle(both))
	r.Peer("PUBLISH", "tokens_per_s", middle(publish))
	return r.Print(os.Stdout)
}
