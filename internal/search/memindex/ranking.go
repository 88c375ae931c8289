package memindex

import "slices"

// ranking keeps the n first of the places that it is offered, by order, in a heap
// whose root is the last of them, so that most places are looked at once.
type ranking struct {
	n      int
	order  func(a, b place) int
	places []place
}

// reset empties it.
func (r *ranking) reset(n int, order func(a, b place) int) {
	r.n, r.order, r.places = n, order, r.places[:0]
}

// full reports whether an offer can be turned down.
func (r *ranking) full() bool { return len(r.places) == r.n && r.n > 0 }

func (r *ranking) offer(p place) {
	switch {
	case len(r.places) < r.n:
		r.places = append(r.places, p)
		if len(r.places) == r.n {
			for i := r.n/2 - 1; i >= 0; i-- {
				sink(r.places, i, r.order)
			}
		}
	case r.n > 0 && r.order(p, r.places[0]) < 0:
		r.places[0] = p
		sink(r.places, 0, r.order)
	}
}

// list returns the places in order; the ranking is offered no more.
func (r *ranking) list() []place {
	slices.SortFunc(r.places, r.order)
	return r.places
}

// sink moves the place at i down to where no child comes behind it.
func sink(heap []place, i int, order func(a, b place) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && order(heap[child+1], heap[child]) > 0 {
			child++
		}
		if order(heap[child], heap[i]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
