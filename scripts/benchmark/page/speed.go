package main

import (
	"fmt"
	"math"
	"slices"

	"vigueur/e2e/browser"
	"vigueur/scripts/benchmark/report"
)

// loads is how many first loads are measured.
const loads = 5

// loaded is what a first load took: kilobytes, and milliseconds until it can be used.
type loaded struct{ JS, CSS, Ready float64 }

// load measures the first load.
func (v *visit) load(r *report.Report) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	var last loaded
	var ready []float64
	for range loads {
		err := inOrder(tab.Cold, func() error { return tab.Slow(4) }, func() error { return tab.Open("/") },
			func() error { return tab.Await(`performance.getEntriesByName("vigueur.ready").length > 0`) })
		if err != nil {
			return err
		}
		last, err = browser.Eval[loaded](tab, `(() => {
			const all = performance.getEntriesByType("resource")
			const sum = (ending) => all.filter((e) => new URL(e.name).pathname.endsWith(ending)).reduce((n, e) => n + e.encodedBodySize, 0) / 1000
			return {JS: sum(".js"), CSS: sum(".css"), Ready: performance.getEntriesByName("vigueur.ready")[0].startTime}
		})()`)
		if err != nil {
			return err
		}
		ready = append(ready, last.Ready)
	}
	slices.Sort(ready)
	for _, f := range []struct {
		name        string
		value, goal float64
		unit        string
	}{{"js_kb", last.JS, 60, "KB"}, {"css_kb", last.CSS, 15, "KB"}, {"interactive_ms", ready[loads/2], 1500, "ms"}} {
		r.Figure(f.name, f.value, f.unit)
		r.Goal(f.name, report.AtMost, f.goal)
	}
	return nil
}

// streams is how many long answers are watched.
const streams = 3

// task is a long one: when it began, from the question on, and how long it took, in
// milliseconds.
type task struct{ At, Took float64 }

// stream measures the longest task while a long answer comes, the least of several
// answers: a task is timed by the clock, so what else the machine does is in it.
func (v *visit) stream(r *report.Report) error {
	longest, most := math.Inf(1), 0
	for range streams {
		tasks, err := v.streamOnce()
		if err != nil {
			return err
		}
		most = max(most, len(tasks))
		took := 0.0
		for _, t := range tasks {
			took = max(took, t.Took)
			fmt.Printf("long task %.0f ms behind the question: %.0f ms\n", t.At, t.Took)
		}
		longest = min(longest, took)
	}
	r.Figure("long_tasks", float64(most), "")
	r.Figure("longest_task_ms", longest, "ms")
	r.Goal("longest_task_ms", report.AtMost, 50)
	return nil
}

func (v *visit) streamOnce() ([]task, error) {
	tab, err := v.signedIn()
	if err != nil {
		return nil, err
	}
	defer tab.Close()
	_, err = browser.Eval[any](tab, `void (window.tasks = [], window.began = performance.now(), new PerformanceObserver((l) =>
		window.tasks.push(...l.getEntries().map((e) => ({At: e.startTime - window.began, Took: e.duration})))).observe({type: "longtask"}))`)
	if err != nil {
		return nil, err
	}
	err = inOrder(func() error { return tab.Slow(4) }, func() error { return ask(tab, "Quel est le préavis d’un cadre ?") })
	if err != nil {
		return nil, err
	}
	return browser.Eval[[]task](tab, `window.tasks`)
}
