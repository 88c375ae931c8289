// Command streams holds 4,000 idle streams open: the memory of each in the API, beside net/http; and the CPU of events.
//
// It sets up a whole system of its own with one API and no worker, and resumes the streams of as many answers that wait.
// The memory is what the API's process has more in RAM than before, by stream, after two idle minutes. Its peer is this
// program as a net/http server that holds as many event streams open at the same time and does nothing else. Then 1,000 of the streams get
// 20 events a second each, as far as the machine goes: how many arrive, and what the API's CPU has to do for each.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

func main() {
	streams := flag.Int("streams", 4000, "idle streams")
	active := flag.Int("active", 1000, "streams that get events")
	peer := flag.String("peer", "", "serve streams by net/http at this address (the benchmark starts itself so)")
	flag.Parse()
	var err error
	if *peer != "" {
		err = serve(*peer)
	} else {
		err = run(context.Background(), *streams, *active)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, streams, active int) (err error) {
	r := report.New("streams", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ids, err := waiting(ctx, s, streams)
	if err != nil {
		return err
	}
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return err
	}
	open := crowd{address: api.URL[len("http://"):]}
	defer open.close()
	fmt.Printf("%d streams of each are opened, and idle for %v.\n", streams, idle)
	var own, peer float64
	var both errgroup.Group // they idle at the same time
	both.Go(func() (err error) {
		own, err = memory(api.PID(), streams, func(i int) error {
			return open.add("GET /api/v1/chat-rag/stream/" + ids[i].String() + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + client.Token + "\r\n\r\n")
		})
		return err
	})
	both.Go(func() (err error) {
		peer, err = beside(ctx, streams)
		return err
	})
	if err := both.Wait(); err != nil {
		return err
	}
	rate, cost, err := events(ctx, s, api.PID(), &open, ids[:active])
	if err != nil {
		return err
	}
	r.Figure("streams", float64(streams), "")
	r.Figure("kb_per_stream", own, "KiB")
	r.Goal("kb_per_stream", report.AtMost, mostEach)
	r.Peer("net/http", "kb_per_stream", peer)
	r.Figure("events_per_s", rate, "events/s over "+fmt.Sprint(active)+" streams, of "+fmt.Sprint(20*active))
	r.Figure("api_cpu_us_per_event", cost, "µs")
	return r.Print(os.Stdout)
}

// mostEach is the goal in KiB: a quarter more than the 26 of net/http, which knows neither a session nor the state of an answer.
const mostEach = 32

// idle is how long the streams are idle before they are measured.
const idle = 130 * time.Second

// memory opens the streams and gives what each of them costs the process, in KiB.
func memory(pid, streams int, open func(i int) error) (float64, error) {
	before, err := report.Resident(pid)
	if err != nil {
		return 0, err
	}
	for i := range streams {
		if err := open(i); err != nil {
			return 0, fmt.Errorf("stream %d: %w", i, err)
		}
	}
	time.Sleep(idle) // an idle process collects garbage, and shrinks stacks, every two minutes
	after, err := report.Resident(pid)
	return float64(after-before) / float64(streams), err
}
