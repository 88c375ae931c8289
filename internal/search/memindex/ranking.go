package memindex

import "slices"

// ranking keeps the first n, in the given order, of the places that it is offered. It is a heap whose root is the
// last of them, so most places need a single comparison.
type ranking struct {
	n      int
	order  func(a, b place) int
	places []place
}

// reset makes the ranking empty.
func (r *ranking) reset(n int, order func(a, b place) int) {
	r.n, r.order, r.places = n, order, r.places[:0]
}

// full reports whether the ranking may reject an offer.
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

// list returns the places in order. Nothing can be offered afterwards.
func (r *ranking) list() []place {
	slices.SortFunc(r.places, r.order)
	return r.places
}

// sink moves the place at i down until no child comes after it.
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
