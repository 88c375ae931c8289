package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// Task is a piece of work of a page: when it began, by the trace's clock, how long it
// took by the clock, and by the processor, which other work of the machine does not
// lengthen. Parts are the kinds of work in it, by the processor, each without those
// that are within it: they and what has no name sum up to the whole.
type Task struct {
	Begun, Took, Worked time.Duration
	Parts               map[string]time.Duration
}

// traced is an event of a trace, of which few parts are read.
type traced struct {
	Name   string                `json:"name"`
	Phase  string                `json:"ph"`
	PID    int                   `json:"pid"`
	TID    int                   `json:"tid"`
	Begun  float64               `json:"ts"`   // microseconds
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
	config := tracing.TraceConfig{IncludedCategories: []string{"-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "v8", "__metadata"}}
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

// thread is one of a process.
type thread struct{ pid, tid int }

// tasksOf returns the tasks of the page that did most.
func tasksOf(events []traced) []Task {
	mains, tasks, parts, total := map[thread]bool{}, map[thread][]Task{}, map[thread][]traced{}, map[thread]float64{}
	for _, e := range events {
		at := thread{e.PID, e.TID}
		switch {
		case e.Phase == "M" && e.Name == "thread_name" && e.Args.Name == "CrRendererMain":
			mains[at] = true
		case e.Phase == "X" && e.Name == "RunTask":
			tasks[at] = append(tasks[at], Task{Begun: micros(e.Begun), Took: micros(e.Took), Worked: micros(e.Worked), Parts: map[string]time.Duration{}})
			total[at] += e.Worked
		case e.Phase == "X":
			parts[at] = append(parts[at], e)
		}
	}
	var busiest thread
	for at := range mains {
		if total[at] > total[busiest] {
			busiest = at
		}
	}
	share(tasks[busiest], parts[busiest])
	return tasks[busiest]
}

// share gives each part of work to its task, without the parts that are within it. Tasks of
// a thread do not overlap, and of two of its parts one is within the other or behind it.
func share(tasks []Task, parts []traced) {
	slices.SortFunc(tasks, func(a, b Task) int { return cmp.Compare(a.Begun, b.Begun) })
	slices.SortFunc(parts, func(a, b traced) int { return cmp.Or(cmp.Compare(a.Begun, b.Begun), cmp.Compare(b.Took, a.Took)) })
	var around []traced // those that have begun and not ended
	for _, p := range parts {
		begun := micros(p.Begun)
		at, found := slices.BinarySearchFunc(tasks, begun, func(t Task, at time.Duration) int { return cmp.Compare(t.Begun, at) })
		if !found {
			at--
		}
		if at < 0 || begun >= tasks[at].Begun+tasks[at].Took {
			continue
		}
		for len(around) > 0 && p.Begun >= around[len(around)-1].Begun+around[len(around)-1].Took {
			around = around[:len(around)-1]
		}
		if len(around) > 0 && around[len(around)-1].Begun >= tasks[at].Begun.Seconds()*1e6 {
			tasks[at].Parts[around[len(around)-1].Name] -= micros(p.Worked)
		}
		tasks[at].Parts[p.Name] += micros(p.Worked)
		around = append(around, p)
	}
}

func micros(n float64) time.Duration { return time.Duration(n * float64(time.Microsecond)) }
