package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// Task is a piece of work of a page: how long it took by the clock, and by the
// processor, which other work of the machine does not lengthen.
type Task struct{ Took, Worked time.Duration }

// traced is an event of a trace, of which few parts are read.
type traced struct {
	Name   string                `json:"name"`
	Phase  string                `json:"ph"`
	PID    int                   `json:"pid"`
	TID    int                   `json:"tid"`
	Took   float64               `json:"dur"`  // microseconds
	Worked float64               `json:"tdur"` // microseconds of the thread
	Args   struct{ Name string } `json:"args"`
}

// Tasks does something, and gives the tasks that the tab did meanwhile.
func (t *Tab) Tasks(do func() error) ([]Task, error) {
	var mu sync.Mutex
	var events []traced
	done := make(chan struct{})
	var once sync.Once
	err := chromedp.Listen(t.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				var one traced
				if json.Unmarshal(v, &one) == nil {
					mu.Lock()
					events = append(events, one)
					mu.Unlock()
				}
			}
		case *tracing.EventTracingComplete:
			once.Do(func() { close(done) })
		}
	})
	if err != nil {
		return nil, err
	}
	config := tracing.TraceConfig{IncludedCategories: []string{"-*", "disabled-by-default-devtools.timeline", "__metadata"}}
	if err := t.do(call(tracing.Start, tracing.StartParams{TraceConfig: &config})); err != nil {
		return nil, fmt.Errorf("browser: trace: %w", err)
	}
	worked := do()
	if err := t.do(call(tracing.End, cdp.Empty{})); err != nil {
		return nil, errors.Join(worked, fmt.Errorf("browser: trace: %w", err))
	}
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	select {
	case <-done:
	case <-ctx.Done():
		return nil, errors.Join(worked, fmt.Errorf("browser: trace: %w", ctx.Err()))
	}
	mu.Lock()
	defer mu.Unlock()
	return tasksOf(events), worked
}

// tasksOf gives the tasks of the page that did most.
func tasksOf(events []traced) []Task {
	type thread struct{ pid, tid int }
	mains, tasks, total := map[thread]bool{}, map[thread][]Task{}, map[thread]float64{}
	for _, e := range events {
		at := thread{e.PID, e.TID}
		switch {
		case e.Phase == "M" && e.Name == "thread_name" && e.Args.Name == "CrRendererMain":
			mains[at] = true
		case e.Phase == "X" && e.Name == "RunTask":
			tasks[at] = append(tasks[at], Task{Took: time.Duration(e.Took * 1e3), Worked: time.Duration(e.Worked * 1e3)})
			total[at] += e.Worked
		}
	}
	var busiest thread
	for at := range mains {
		if total[at] > total[busiest] {
			busiest = at
		}
	}
	return tasks[busiest]
}
