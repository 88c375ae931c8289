// Command answers asks the sample's questions of one worker: answers/s and time to the first text, by each kernel and without the reader.
//
// The ways are those that read with the fastest kernels of this processor, those for AVX2 alone, and without reading. They take
// turns: half of the questions of each, and again; a turn ends after the time that -turn says at the latest.
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
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
	"vigueur/scripts/corpora"
)

func main() {
	clients := flag.Int("clients", 4, "clients that ask at once")
	questions := flag.Int("questions", 200, "questions to ask in each way")
	turn := flag.Duration("turn", 15*time.Second, "after which no further question is asked in a turn, of which each way has two")
	flag.Parse()
	if err := run(context.Background(), *clients, *questions, *turn); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ways are the settings of each way to answer.
var ways = []struct {
	name     string
	settings map[string]string
}{
	{"wide", nil},
	{"avx2", map[string]string{"GODEBUG": "cpu.avx512f=off"}},
	{"without", map[string]string{"VIGUEUR_SENTENCES": "false"}},
}

func run(ctx context.Context, clients, questions int, turn time.Duration) (err error) {
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
	all, lasted := make([][]time.Duration, len(ways)), make([]time.Duration, len(ways))
	for range 2 {
		for i, way := range ways {
			times, took, err := ask(ctx, s, way.settings, clients, questions/2, turn)
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			all[i], lasted[i] = append(all[i], times...), lasted[i]+took
		}
	}
	for i, way := range ways {
		r.Figure(way.name+"_answers_per_s", float64(len(all[i]))/lasted[i].Seconds(), "answers/s")
		r.Figure(way.name+"_p50_ms", report.Quantile(all[i], .5), "ms")
		r.Figure(way.name+"_p90_ms", report.Quantile(all[i], .9), "ms")
		r.Figure(way.name+"_p99_ms", report.Quantile(all[i], .99), "ms")
		r.Goal(way.name+"_p90_ms", report.AtMost, 300)
	}
	return r.Print(os.Stdout)
}

// ask returns the times to the first text of up to n questions that some clients ask at once in a turn, and how long all took.
func ask(ctx context.Context, s *stage.Stage, settings map[string]string, clients, n int, turn time.Duration) (times []time.Duration, took time.Duration, err error) {
	worker, err := s.Worker(ctx, settings)
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
	each, failed := make([][]time.Duration, clients), make([]error, clients)
	began := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		client, err := s.Client(ctx, api)
		if err != nil {
			return nil, 0, err
		}
		all.Go(func() {
			for k := int(next.Add(1)) - 1; k < n && failed[i] == nil && time.Since(began) < turn; k = int(next.Add(1)) - 1 {
				a, err := client.Ask(ctx, questions[k%len(questions)], nil)
				if err == nil && (!a.Ended || a.First == 0) {
					err = fmt.Errorf("no answer to %q: %s", questions[k%len(questions)], a.Error)
				}
				each[i], failed[i] = append(each[i], a.First), err
			}
		})
	}
	all.Wait()
	return slices.Concat(each...), time.Since(began), errors.Join(failed...)
}
