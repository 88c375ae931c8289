// Command answers asks the sample's questions of one worker: answers/s and time to the first text, with the reader and without.
//
// The reader: what reads sentences, the transformer and the reader of question and article. The benchmark sets up a whole
// system of its own with the sample gazettes and all vectors of their passages. The clients ask one question after the other; a
// reader that is shared reads fewer articles for each the more wait.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
	"vigueur/scripts/corpora"
)

func main() {
	clients := flag.Int("clients", 8, "clients that ask at once")
	questions := flag.Int("questions", 400, "questions to ask in each way")
	flag.Parse()
	if err := run(context.Background(), *clients, *questions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, clients, questions int) (err error) {
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
	}
	if err := s.ComputeVectors(ctx); err != nil { // a worker that makes them is not idle
		return err
	}
	r := report.New("answers", report.ThisMachine())
	r.Figure("clients", float64(clients), "")
	for _, way := range []struct{ name, sentences string }{{"reading", "true"}, {"without", "false"}} {
		times, took, err := ask(ctx, s, way.sentences, clients, questions)
		if err != nil {
			return err
		}
		r.Figure(way.name+"_answers_per_s", float64(len(times))/took.Seconds(), "answers/s")
		r.Figure(way.name+"_p50_ms", report.Quantile(times, .5), "ms")
		r.Figure(way.name+"_p99_ms", report.Quantile(times, .99), "ms")
	}
	return r.Print(os.Stdout)
}

// ask returns the times to the first text of n questions that some clients ask at once, and how long all took.
func ask(ctx context.Context, s *stage.Stage, sentences string, clients, n int) (times []time.Duration, took time.Duration, err error) {
	worker, err := s.Worker(ctx, map[string]string{"VIGUEUR_SENTENCES": sentences})
	if err != nil {
		return nil, 0, err
	}
	defer worker.Stop()
	api, err := s.API(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer api.Stop()
	questions, err := corpora.SampleQuestions(stage.Root())
	if err != nil {
		return nil, 0, err
	}
	times, failed := make([]time.Duration, n), make([]error, clients)
	began := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		client, err := s.Client(ctx, api)
		if err != nil {
			return nil, 0, err
		}
		all.Go(func() {
			for k := int(next.Add(1)) - 1; k < n && failed[i] == nil; k = int(next.Add(1)) - 1 {
				a, err := client.Ask(ctx, questions[k%len(questions)], nil)
				if err == nil && (!a.Ended || a.First == 0) {
					err = fmt.Errorf("no answer to %q: %s", questions[k%len(questions)], a.Error)
				}
				times[k], failed[i] = a.First, err
			}
		})
	}
	all.Wait()
	return times, time.Since(began), errors.Join(failed...)
}
