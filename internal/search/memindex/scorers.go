package memindex

import (
	"runtime"
	"sync/atomic"

	"vigueur/internal/kit/parallel"
)

// scorers are the states of the goroutines of one search: one, and more if cores are free. The hits do not depend on
// their number.
type scorers struct {
	all     []*scorer
	windows []window
}

// searching is the number of scorers that are running in this process.
var searching atomic.Int64

// acquireScorers returns the scorers of a search. release returns them to the pool.
func (x *searcher) acquireScorers() *scorers {
	c := &scorers{windows: x.windows()}
	free := runtime.GOMAXPROCS(0) - int(searching.Load())
	for range max(x.tuning.minScorers, min(free, len(c.windows))) {
		h, kept := scorerPool.Get().(*scorer)
		if !kept {
			h = new(scorer)
		}
		h.begin(x)
		c.all = append(c.all, h)
	}
	searching.Add(int64(len(c.all)))
	return c
}

func (h *scorer) begin(x *searcher) {
	h.searcher, h.view, h.most, h.lacks = x, -1, line{}, false
	if x.comparison != nil {
		h.histogram = resized(h.histogram, len(x.cosines))
		clear(h.histogram)
	}
}

// release returns the scorers to the pool, except after a panic, when their state is unknown.
func (c *scorers) release(panicked bool) {
	searching.Add(-int64(len(c.all)))
	for _, h := range c.all {
		h.searcher = nil
		if !panicked {
			scorerPool.Put(h)
		}
	}
}

// windows divides the passages of all views into windows, in order.
func (x *searcher) windows() (all []window) {
	for i, v := range x.views {
		n := uint32(len(v.Segment.Passages))
		for from := uint32(0); from < n; from += x.window {
			all = append(all, window{i, from, min(n, from+x.window)})
		}
	}
	return all
}

// runTasks runs the tasks on all scorers at once. Each scorer gets its tasks in ascending order.
func (c *scorers) runTasks(tasks int, do func(h *scorer, task int)) {
	parallel.Workers(len(c.all), tasks, func(worker, task int) { do(c.all[worker], task) })
}

// eachWindow runs a task for each window.
func (c *scorers) eachWindow(do func(*scorer, window)) {
	c.runTasks(len(c.windows), func(h *scorer, i int) { do(h, c.windows[i]) })
}
