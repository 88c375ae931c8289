package transport

import (
	"net/netip"
	"time"
)

// bucket holds the requests that a network may still send; it fills with time (a token
// bucket).
type bucket struct {
	left float64
	at   time.Time // when left was right
}

// rates limits the requests a second of each network. It is not safe for concurrent use.
type rates struct {
	of    map[netip.Prefix]bucket
	taken int // requests since the last sweep
}

// take counts a request of an address at a time; false if one of its networks sends more than
// it may. Each wider network may send widening times what the one within it may.
func (r *rates) take(a netip.Addr, now time.Time) bool {
	list, factor, next := Networks(a), 1., [3]bucket{}
	for i, network := range list {
		b, known := r.of[network]
		if !known {
			b = bucket{requestBurst * factor, now}
		}
		b.left = min(requestBurst*factor, b.left+requestRate*factor*now.Sub(b.at).Seconds())
		if b.at = now; b.left < 1 {
			return false
		}
		b.left--
		next[i] = b
		factor *= widening
	}
	if r.of == nil {
		r.of = map[netip.Prefix]bucket{}
	}
	for i, network := range list {
		r.of[network] = next[i]
	}
	if r.taken++; r.taken >= sweepEvery {
		r.sweep(now)
	}
	return true
}

// sweep drops the buckets that are full again: that takes the same time for all, whatever
// their size.
func (r *rates) sweep(now time.Time) {
	for network, b := range r.of {
		if now.Sub(b.at) > requestBurst/requestRate*time.Second {
			delete(r.of, network)
		}
	}
	r.taken = 0
}
