package transport

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/ratelimit"
)

// This file has what one client, and all together, may have of the server beside connections (gate.go): requests a second
// and in progress, bytes of bodies and of responses, and turns of slow work. A client is a network: behind a proxy each is
// counted for itself, by the address that the proxy reports.

const (
	// widening is the factor by which the limit of a network exceeds that of the network within it.
	// Neighbors share a network and must not use up each other's limit.
	widening = 2

	// requestRate is how many requests a second a network may send. It is twice what an API
	// key may have (postgres.KeyPerMinuteMost); beyond it, answering would take the time of
	// others, however cheap the requests are.
	requestRate = 200
	// requestBurst is how many requests a network may send at once after a pause: some twenty
	// people behind one address who open the page at the same time.
	requestBurst = 2 * requestRate
	// sweepEvery is after how many requests buckets that are full again are dropped.
	sweepEvery = 4096

	// smallReply is the size up to which a response is not counted: memory for it is reserved
	// with its connection.
	smallReply = 64 << 10

	// Usual is how many slots there are of work that takes seconds of a core.
	Usual = 2
	// Brief is how long a request waits for a slot that it needs at once. Together with the time that it may
	// then take (drawTimeout) it is less than a handler's timeout.
	Brief = 2 * time.Second
	// Patient has a request wait for a slot until its context ends.
	Patient time.Duration = 1<<63 - 1
)

// Networks returns the networks that a limit counts for an address, from the narrowest,
// which counts as one client, to the widest: an IPv4 address and its /24; an IPv6 /64,
// which is the least that a subscriber has, and the /56 and /48 that one may have instead
// (RFC 6177). Without the wider ones, a client with a /48 would count as 65,536.
func Networks(a netip.Addr) []netip.Prefix {
	bits := []int{64, 56, 48}
	if a = a.Unmap().WithZone(""); a.Is4() {
		bits = []int{32, 24}
	}
	list := make([]netip.Prefix, len(bits))
	for i, n := range bits {
		list[i] = netip.PrefixFrom(a, n).Masked()
	}
	return list
}

// Network returns the network whose addresses a limit counts as one client.
func Network(a netip.Addr) netip.Prefix { return Networks(a)[0] }

// tally counts what each network holds. It is not safe for concurrent use.
type tally map[netip.Prefix]int

// add counts n more for an address, unless one of its networks would then have more than
// its limit: each for the narrowest.
func (t tally) add(a netip.Addr, n, each int) bool {
	list := Networks(a)
	for _, network := range list {
		if t[network]+n > each {
			return false
		}
		each *= widening
	}
	for _, network := range list {
		t[network] += n
	}
	return true
}

// remove takes n back.
func (t tally) remove(a netip.Addr, n int) {
	if n == 0 {
		return
	}
	for _, network := range Networks(a) {
		if t[network] -= n; t[network] <= 0 {
			delete(t, network)
		}
	}
}

// clients counts the requests of clients, a second and in progress, streams among them. It is safe for concurrent use.
type clients struct {
	mu       sync.Mutex
	rates    rates
	requests tally
}

// errCrowdedOut is the error for a client that has each requests in progress.
func errCrowdedOut(each int) error {
	return ratelimit.Refuse(ratelimit.Quota{Limit: each, Reset: time.Second}, "Trop de requêtes de votre réseau sont en cours. Attendez la fin de l’une d’elles.")
}

// enter counts a request of an address within the limits of its networks on requests in progress
// and on requests a second. leave ends the request. The error is TooMany.
func (k *clients) enter(a netip.Addr, each int) (leave func(), err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.rates.take(a, time.Now()) {
		return nil, ratelimit.Refuse(ratelimit.Quota{Limit: requestRate, Reset: time.Second}, "Trop de requêtes viennent de votre réseau. Réessayez dans un instant.")
	}
	if k.requests == nil {
		k.requests = tally{}
	}
	if !k.requests.add(a, 1, each) {
		return nil, errCrowdedOut(each)
	}
	return sync.OnceFunc(func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.requests.remove(a, 1)
	}), nil
}

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

// ByteRoom limits the bytes in memory.
type ByteRoom struct {
	All  int // of the process
	Each int // of one network
}

// room counts bytes in memory, of all and of each network. It is safe for concurrent use.
type room struct {
	mu  sync.Mutex
	of  tally
	all int
}

// take counts n more bytes of a network, unless there is no room for them. If single, what is the only one of all or of a
// network always has room.
func (r *room) take(a netip.Addr, n int, most ByteRoom, single bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = tally{}
	}
	if single && (r.of[Network(a)] == 0 || a.IsLoopback()) { // loopback may be an undeclared proxy with all its clients
		most.Each = max(most.Each, most.All, n)
	}
	if !(single && r.all == 0) && r.all+n > most.All || !r.of.add(a, n, most.Each) {
		return false
	}
	r.all += n
	return true
}

// give takes bytes back.
func (r *room) give(a netip.Addr, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of.remove(a, n)
	r.all -= n
}

// holdReply counts the response of a request until its client has it; streams hold little and are not counted. The error
// is Unavailable if there is no room for it.
func (s *Transport) holdReply(c *fiber.Ctx, e *Event) error {
	conn, holds := c.Context().Conn().(*pacedConn)
	if e.taken || c.Response().IsBodyStream() || !holds { // Body would read the whole stream
		return nil
	}
	n := len(c.Response().Body())
	if n <= smallReply {
		return nil
	}
	if !s.replies.take(e.client, n, s.Replies, true) {
		return errBusy("Trop de réponses volumineuses sont en cours d’envoi. Réessayez dans un instant.")
	}
	conn.holds(func() { s.replies.give(e.client, n) })
	return nil
}

// Slots limits how much of one kind of work a server does at once. Of those who wait, the client whose widest network had
// a slot longest ago is next. It is safe for concurrent use.
type Slots struct {
	mu      sync.Mutex
	all     int
	of      map[string]int
	waiting []*slotWait    // in order
	served  map[string]int // the number of the last slot of each widest network that holds one or waits
	given   int
}

// Turn is what a client asks for: a slot of Slots.
type Turn struct {
	Who      string        // the client
	Wider    []string      // networks that the client is in, the narrowest first
	Most     int           // slots that all may hold at once; 0: any number
	Each     int           // slots that the client may hold at once, and each of the networks
	Queue    int           // turns for which the client may wait at once; 0: any number
	Patience time.Duration // how long it waits; 0: not at all
}

type slotWait struct {
	Turn
	free chan struct{} // closed when it has a slot
}

// Of sets the client of a turn to that with an address, so that a network counts like one client, however many
// addresses it has.
func (t Turn) Of(a netip.Addr) Turn {
	networks := Networks(a)
	t.Who = networks[0].String()
	for _, wider := range networks[1:] {
		t.Wider = append(t.Wider, wider.String())
	}
	return t
}

// names lists the client and its networks.
func (t Turn) names() []string { return append([]string{t.Who}, t.Wider...) }

// widest returns the client's widest network, the client itself if it has none.
func (t Turn) widest() string { return t.names()[len(t.Wider)] }

// Take takes a slot; it waits until ctx ends at most. release frees the slot, once. The error is TooMany if too many turns
// of the client wait already, else Unavailable.
func (s *Slots) Take(ctx context.Context, t Turn) (release func(), err error) {
	w := &slotWait{Turn: t, free: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.serve()
	queued := 0
	for _, other := range s.waiting {
		if other.Who == t.Who {
			queued++
		}
	}
	s.mu.Unlock()
	late := time.NewTimer(t.Patience)
	defer late.Stop()
	switch {
	case isClosed(w.free):
	case t.Queue > 0 && queued > t.Queue:
		err = errCrowdedOut(t.Each + t.Queue)
	default:
		select {
		case <-w.free:
		case <-late.C:
			err = errBusy("Trop de demandes de ce genre sont en cours. Réessayez dans un instant.")
		case <-ctx.Done():
			err = errs.Wrap(errs.Unavailable, "", ctx.Err())
		}
	}
	release = sync.OnceFunc(func() { s.leave(t) })
	if err == nil {
		return release, nil
	}
	s.mu.Lock()
	s.waiting = slices.DeleteFunc(s.waiting, func(other *slotWait) bool { return other == w })
	s.forget(t)
	s.mu.Unlock()
	if isClosed(w.free) { // it was given one meanwhile
		release()
	}
	return nil, err
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// serve gives free slots to those who wait and may have one. The caller holds mu.
func (s *Slots) serve() {
	if s.of == nil {
		s.of, s.served = map[string]int{}, map[string]int{}
	}
	for {
		next := -1
		for i, w := range s.waiting {
			if w.Most > 0 && s.all >= w.Most || slices.ContainsFunc(w.names(), func(name string) bool { return s.of[name] >= w.Each }) {
				continue
			}
			if next < 0 || s.served[w.widest()] < s.served[s.waiting[next].widest()] {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := s.waiting[next]
		s.waiting = slices.Delete(s.waiting, next, next+1)
		s.all++
		for _, name := range w.names() {
			s.of[name]++
		}
		s.given++
		s.served[w.widest()] = s.given
		close(w.free)
	}
}

func (s *Slots) leave(t Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	for _, name := range t.names() {
		if s.of[name]--; s.of[name] == 0 {
			delete(s.of, name)
		}
	}
	s.forget(t)
	s.serve()
}

// forget drops when the widest network of a client was served, unless it holds a slot or waits. The caller holds mu.
func (s *Slots) forget(t Turn) {
	if s.of[t.widest()] == 0 && !slices.ContainsFunc(s.waiting, func(w *slotWait) bool { return w.widest() == t.widest() }) {
		delete(s.served, t.widest())
	}
}
