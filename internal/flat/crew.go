package flat

import (
	"runtime"
	"sync/atomic"
)

// crew are the hands of one search: one, and others where cores are free. The
// hits do not depend on how many there are.
type crew struct {
	hands   []*hand
	windows []window
}

// searching is how many hands there are in this process.
var searching atomic.Int64

// hire gives a search its hands, of which dismiss lets go.
func (x *searcher) hire() *crew {
	c := &crew{windows: x.windows()}
	free := runtime.GOMAXPROCS(0) - int(searching.Load())
	for range max(x.tuning.hands, min(free, len(c.windows))) {
		h, kept := hands.Get().(*hand)
		if !kept {
			h = new(hand)
		}
		h.begin(x)
		c.hands = append(c.hands, h)
	}
	searching.Add(int64(len(c.hands)))
	return c
}

func (h *hand) begin(x *searcher) {
	h.searcher, h.view, h.most, h.lacks = x, -1, line{}, false
	if x.comparison != nil {
		h.histogram = room(h.histogram, len(x.cosines))
		clear(h.histogram)
	}
}

// dismiss lets the hands go. After a panic what they hold is not known.
func (c *crew) dismiss(panicked bool) {
	searching.Add(-int64(len(c.hands)))
	for _, h := range c.hands {
		h.searcher = nil
		if !panicked {
			hands.Put(h)
		}
	}
}

// windows are the passages of all views, in order.
func (x *searcher) windows() (all []window) {
	for i, v := range x.views {
		n := uint32(len(v.segment.passages))
		for from := uint32(0); from < n; from += x.window {
			all = append(all, window{i, from, min(n, from+x.window)})
		}
	}
	return all
}

// each does so many tasks by all hands together, each hand some in ascending
// order.
func (c *crew) each(tasks int, do func(h *hand, task int)) {
	var taken atomic.Int64
	work := func(h *hand) {
		for {
			task := int(taken.Add(1)) - 1
			if task >= tasks {
				return
			}
			do(h, task)
		}
	}
	var waits []func()
	for _, h := range c.hands[1:] {
		waits = append(waits, beside(func() { work(h) }))
	}
	work(c.hands[0])
	for _, wait := range waits {
		wait()
	}
}

// eachWindow does it for all windows.
func (c *crew) eachWindow(do func(*hand, window)) {
	c.each(len(c.windows), func(h *hand, i int) { do(h, c.windows[i]) })
}

// beside starts do and gives what waits for its end; a panic of do comes there.
func beside(do func()) (wait func()) {
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		do()
	}()
	return func() {
		<-done
		if panicked != nil {
			panic(panicked)
		}
	}
}
