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

// askLoaded is ask while a model writes other people's answers.
func askLoaded(ctx context.Context, s *stage.Stage, n int) ([]time.Duration, error) {
	s.Model(stage.Pace{First: 300 * time.Millisecond, Each: 25 * time.Millisecond, Tokens: 400})
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
	for range others {
		crowd.Go(func() {
			var first sync.Once
			defer first.Do(begun.Done)
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
