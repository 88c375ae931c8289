package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"vigueur/e2e/stage"
)

// others is how many answers are being written beside the measured ones.
const others = 50

// pace is the model's: an answer takes it ten seconds.
var pace = stage.Pace{First: 300 * time.Millisecond, Each: 25 * time.Millisecond, Tokens: 400}

// askLoaded is ask while a model writes other people's answers. They begin one
// after the other over the time of an answer, so that they end so too: fifty that
// ask in the same instant, every ten seconds, would be another load.
func askLoaded(ctx context.Context, s *stage.Stage, n int) ([]time.Duration, error) {
	s.Model(pace)
	worker, err := s.Worker(ctx, map[string]string{"VIGUEUR_WORKER_ANSWERS": fmt.Sprint(others + 16)})
	if err != nil {
		return nil, err
	}
	defer worker.Stop()
	api, err := s.API(ctx)
	if err != nil {
		return nil, err
	}
	defer api.Stop()
	client, err := s.Client(ctx, api)
	if err != nil {
		return nil, err
	}
	asking, stop := context.WithCancel(ctx)
	var crowd, begun sync.WaitGroup
	defer crowd.Wait()
	defer stop()
	begun.Add(others)
	length := pace.First + time.Duration(pace.Tokens)*pace.Each
	for i := range others {
		crowd.Go(func() {
			var first sync.Once
			defer first.Do(begun.Done)
			time.Sleep(length * time.Duration(i) / others)
			for asking.Err() == nil {
				_, err := client.Insist(asking, func() string { return api.URL }, "Quel est le préavis d’un cadre ?",
					func(stage.Event) { first.Do(begun.Done) })
				if err != nil {
					return // asking ended, or the API: then the measured questions tell
				}
			}
		})
	}
	begun.Wait()
	return measure(ctx, client, map[string]any{"model": "extractif"}, n)
}
