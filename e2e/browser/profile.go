package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"
)

// sampling is how often the browser looks which function runs, in microseconds.
const sampling = 250

// Profile is which functions a tab ran when, by the clock of Tasks.
type Profile struct{ read *profiler.Profile }

// Profile does something, and gives what the tab ran meanwhile. Looking lengthens the tasks.
func (t *Tab) Profile(do func() error) (Profile, error) {
	err := t.do(call(profiler.Enable, cdp.Empty{}), call(profiler.SetSamplingInterval, profiler.SetSamplingIntervalParams{Interval: sampling}),
		call(profiler.Start, cdp.Empty{}))
	if err != nil {
		return Profile{}, fmt.Errorf("browser: profile: %w", err)
	}
	worked := do()
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	var p Profile
	err = chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		stopped, err := cdp.Call(ctx, target, profiler.Stop, cdp.Empty{})
		if err == nil {
			p.read = stopped.Profile
		}
		return err
	}))
	return p, errors.Join(worked, err)
}

// Within returns how long each function of a task ran, with what it called, the longest
// first: at most so many.
func (p Profile) Within(task Task, most int) (told []string) {
	if p.read == nil {
		return nil
	}
	parents, names := map[int64]int64{}, map[int64]string{}
	for _, n := range p.read.Nodes {
		for _, child := range n.Children {
			parents[child] = n.ID
		}
		names[n.ID] = fmt.Sprintf("%s:%d:%d", cmp.Or(n.CallFrame.FunctionName, "…"), n.CallFrame.LineNumber+1, n.CallFrame.ColumnNumber+1)
	}
	ran := map[string]time.Duration{}
	at := micros(p.read.StartTime)
	for i, node := range p.read.Samples {
		took := time.Duration(p.read.TimeDeltas[i]) * time.Microsecond
		at += took
		if at < task.Begun || at >= task.Begun+task.Took {
			continue
		}
		seen := map[string]bool{} // a function that calls itself ran once
		for ; node != 0; node = parents[node] {
			if name := names[node]; !seen[name] {
				seen[name] = true
				ran[name] += took
			}
		}
	}
	longest := slices.SortedFunc(maps.Keys(ran), func(a, b string) int { return cmp.Or(cmp.Compare(ran[b], ran[a]), cmp.Compare(a, b)) })
	for _, name := range longest[:min(most, len(longest))] {
		told = append(told, fmt.Sprintf("%s %.1f", name, float64(ran[name])/1e6))
	}
	return told
}
