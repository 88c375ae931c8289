// Command scaling answers questions with a model of a steady pace by 1, 2 and 4 workers: answers/s, and the stores' load.
//
// It sets up a whole system of its own. The model gives its first token after 300 ms, then 50 a second, 200 in all, and
// takes next to no CPU; each worker writes 16 answers at once, and there are always more questions than that. So a worker
// has a rate that it cannot exceed, 16 answers in 4.3 s: that is the peer. linear_share is how much of the rate of one
// worker each of several has. What an answer costs the stores is counted by themselves.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

func main() {
	span := flag.Duration("span", 20*time.Second, "how long each measurement takes")
	flag.Parse()
	if err := run(context.Background(), *span); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// atOnce is how many answers a worker writes at once.
const atOnce = 16

var pace = stage.Pace{First: 300 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 200}

// answerTime is how long the model takes for an answer.
var answerTime = pace.First + pace.Each*time.Duration(pace.Tokens-1)

func run(ctx context.Context, span time.Duration) (err error) {
	r := report.New("scaling", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
	}
	s.Model(pace)
	s.Set("VIGUEUR_WORKER_ANSWERS", fmt.Sprint(atOnce))
	s.Set("VIGUEUR_ANSWER_QUEUE", "10000")
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return err
	}
	var one float64
	for workers, running := 1, 0; workers <= 4; workers *= 2 {
		for ; running < workers; running++ {
			if _, err := s.Worker(ctx, nil); err != nil {
				return err
			}
		}
		m, err := measure(ctx, s, client, workers, span)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("answers_per_s_%d", workers)
		r.Figure(name, m.rate, "answers/s")
		r.Peer("the model's pace", name, float64(workers)*atOnce/answerTime.Seconds())
		if workers == 1 {
			one = m.rate
			continue
		}
		share := fmt.Sprintf("linear_share_%d", workers)
		r.Figure(share, m.rate/one/float64(workers), "")
		r.Goal(share, report.AtLeast, 0.9)
		if workers == 4 {
			m.load.tell(r)
		}
	}
	return r.Print(os.Stdout)
}
