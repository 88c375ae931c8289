package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vigueur/e2e/browser"
	"vigueur/scripts/benchmark/report"
)

// streams is how many long answers are watched, and told how many of the tasks of each
// that have most work are told of: there is more than one way to be slow.
const streams, told = 1, 3

// stream measures the longest task while a long answer comes, the median of several
// answers: by the processor, which is what a machine that does nothing else would
// take, and by the clock, in which is what else the machine does.
func (v *visit) stream(r *report.Report) error {
	var worked, took []float64
	for range streams {
		tasks, ran, err := v.streamOnce()
		if err != nil {
			return err
		}
		if len(tasks) == 0 {
			return errors.New("the browser told no task of the page")
		}
		c := slices.MaxFunc(tasks, func(a, b browser.Task) int { return cmp.Compare(a.Took, b.Took) })
		begun := tasks[0].Begun
		slices.SortFunc(tasks, func(a, b browser.Task) int { return cmp.Compare(b.Worked, a.Worked) })
		worked, took = append(worked, float64(tasks[0].Worked)/1e6), append(took, float64(c.Took)/1e6)
		for _, t := range tasks[:min(told, len(tasks))] {
			fmt.Printf("%d ms of work after %.1f s: %s\n", t.Worked.Milliseconds(), (t.Begun - begun).Seconds(), partsOf(t))
			for _, function := range ran.Within(t, 40) {
				fmt.Println("  " + function)
			}
		}
	}
	slices.Sort(worked)
	slices.Sort(took)
	r.Figure("longest_task_ms", worked[streams/2], "ms")
	r.Goal("longest_task_ms", report.AtMost, 50)
	r.Figure("longest_task_clock_ms", took[streams/2], "ms")
	return nil
}

// partsOf tells what a task did for longest.
func partsOf(t browser.Task) string {
	names := slices.SortedFunc(maps.Keys(t.Parts), func(a, b string) int { return cmp.Compare(t.Parts[b], t.Parts[a]) })
	var parts []string
	for _, name := range names[:min(6, len(names))] {
		parts = append(parts, fmt.Sprintf("%s %d", name, t.Parts[name].Milliseconds()))
	}
	return strings.Join(parts, ", ")
}

// streamOnce asks for a long answer, and gives the tasks that the page did meanwhile;
// where it is wanted, with the functions in them.
func (v *visit) streamOnce() (tasks []browser.Task, ran browser.Profile, err error) {
	tab, err := v.signedIn()
	if err != nil {
		return nil, ran, err
	}
	defer tab.Close()
	if err := tab.Slow(4); err != nil {
		return nil, ran, err
	}
	long := func() error { return ask(tab, asked) }
	tasks, err = tab.Tasks(func() (err error) {
		if v.functions {
			ran, err = tab.Profile(long)
			return err
		}
		return long()
	})
	return tasks, ran, err
}
