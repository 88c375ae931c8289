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
	for range min(max(1, free), max(1, len(c.windows))) {
		h, kept := hands.Get().(*hand)
		if !kept {
			h = new(hand)
		}
		h.searcher, h.view, h.most, h.meant = x, -1, line{}, emptySpan
		c.hands = append(c.hands, h)
	}
	searching.Add(int64(len(c.hands)))
	return c
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

// each does first, where there is something, and do for every window, by all
// hands together.
func (c *crew) each(first func(), do func(*hand, window)) {
	var taken atomic.Int64
	work := func(h *hand) {
		for {
			i := int(taken.Add(1)) - 1
			if first != nil {
				i--
			}
			switch {
			case i < 0:
				first()
			case i < len(c.windows):
				do(h, c.windows[i])
			default:
				return
			}
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
