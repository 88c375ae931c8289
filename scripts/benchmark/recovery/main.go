// Command recovery kills a worker in mid-answer 5 times: from the kill to the reader's next text, beside asynq alone.
//
// It sets up a whole system of its own with a model that writes 50 tokens a second. A worker takes a question up, its
// reader gets text, the worker is killed (SIGKILL) while another one waits. The time is that until the reader has text
// again, of the answer begun anew. The peer is asynq by itself, with its own recovery of tasks whose server died: from
// the kill of the process that holds a task to the task's next start in another.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

func main() {
	kills := flag.Int("kills", 5, "how often a worker is killed")
	peers := flag.Int("peer-kills", 1, "how often a process of the peer is killed")
	peer := flag.String("peer", "", "hold the peer's task from the Redis at this address (the benchmark starts itself so)")
	flag.Parse()
	var err error
	if *peer != "" {
		err = hold(*peer)
	} else {
		err = run(context.Background(), *kills, *peers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kills, peers int) (err error) {
	r := report.New("recovery", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
	}
	s.Model(stage.Pace{First: 300 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 150})
	var own, others []time.Duration
	var both errgroup.Group // the peer waits most of its time
	both.Go(func() (err error) {
		own, err = recoveries(ctx, s, kills)
		return err
	})
	both.Go(func() error {
		for range peers {
			t, err := asynqAlone(ctx, s.Redis.URL())
			if err != nil {
				return err
			}
			others = append(others, t)
		}
		return nil
	})
	if err := both.Wait(); err != nil {
		return err
	}
	r.Figure("kills", float64(kills), "")
	r.Figure("median_s", report.Quantile(own, .5)/1000, "s")
	r.Figure("worst_s", report.Quantile(own, 1)/1000, "s")
	r.Goal("worst_s", report.AtMost, 8)
	r.Peer("asynq alone", "median_s", report.Quantile(others, .5)/1000)
	r.Peer("asynq alone", "worst_s", report.Quantile(others, 1)/1000)
	return r.Print(os.Stdout)
}

// recoveries kills one worker after another.
func recoveries(ctx context.Context, s *stage.Stage, n int) (times []time.Duration, err error) {
	api, err := s.API(ctx)
	if err != nil {
		return nil, err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return nil, err
	}
	worker, err := s.Worker(ctx, nil)
	if err != nil {
		return nil, err
	}
	for range n {
		spare, err := s.Worker(ctx, nil)
		if err != nil {
			return nil, err
		}
		spare.Signal(syscall.SIGSTOP) // so that the other one takes the question up
		t, err := recovery(ctx, client, worker, spare)
		if err != nil {
			return nil, err
		}
		fmt.Printf("killed %d of %d: %.1f s\n", len(times)+1, n, t.Seconds())
		times, worker = append(times, t), spare
	}
	return times, nil
}

func recovery(ctx context.Context, client *stage.Client, worker, spare *stage.Process) (time.Duration, error) {
	var killed, again time.Time
	chunks, reset := 0, false
	a, err := client.Insist(ctx, func() string { return client.URL }, "Quel est le préavis d’un cadre qui démissionne ?", func(e stage.Event) {
		switch {
		case e.Name == "reset":
			reset = true
		case e.Name != "chunk":
		case reset && again.IsZero():
			again = e.At
		default:
			if chunks++; chunks == 5 {
				spare.Signal(syscall.SIGCONT)
				worker.Kill()
				killed = time.Now()
			}
		}
	})
	if err != nil || a.Error != "" || again.IsZero() {
		return 0, fmt.Errorf("an answer did not come through its worker's death: %w, error %q, %d events", err, a.Error, len(a.Events))
	}
	return again.Sub(killed), nil
}
