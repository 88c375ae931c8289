package main

import (
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

// stream measures the longest task while a long answer comes.
func (v *visit) stream(r *report.Report) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	_, err = browser.Eval[any](tab, `void (window.tasks = [], new PerformanceObserver((l) => window.tasks.push(...l.getEntries().map((e) => e.duration))).observe({type: "longtask"}))`)
	if err != nil {
		return err
	}
	err = inOrder(func() error { return tab.Slow(4) }, func() error { return ask(tab, "Quel est le préavis d’un cadre ?") })
	if err != nil {
		return err
	}
	tasks, err := browser.Eval[[]float64](tab, `window.tasks`)
	r.Figure("long_tasks", float64(len(tasks)), "")
	r.Figure("longest_task_ms", slices.Max(append(tasks, 0)), "ms")
	r.Goal("longest_task_ms", report.AtMost, 50)
	return err
}
