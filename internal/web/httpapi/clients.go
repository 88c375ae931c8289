package httpapi

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/ratelimit"
)

// networks returns the networks that a limit counts for an address, from the narrowest,
// which counts as one client, to the widest: an IPv4 address and its /24; an IPv6 /64,
// which is the least that a subscriber has, and the /56 and /48 that one may have instead
// (RFC 6177). Without the wider ones, a client with a /48 would count as 65,536.
func networks(a netip.Addr) []netip.Prefix {
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

// begunIn is an event that has begun in the limit of each network of an address, the
// narrowest first.
type begunIn []*ratelimit.Event

// beginIn begins an event of an address in a limit and, for each wider network, in the wider
// limit. The error is that of ratelimit.Limiter.Begin; then nothing has begun.
func (s *Server) beginIn(ctx context.Context, l *ratelimit.Limiter, what string, from netip.Addr) (begun begunIn, err error) {
	for steps, of := range networks(from) {
		e, err := l.Wider(steps).Begin(ctx, s.loginKey(what, of.String()))
		if err != nil {
			begun.forget(ctx, s)
			return nil, err
		}
		begun = append(begun, e)
	}
	return begun, nil
}

// Count counts the event everywhere and returns the tightest quota.
func (b begunIn) Count(ctx context.Context) (least ratelimit.Quota, err error) {
	for i, e := range b {
		q, err := e.Count(ctx)
		if err != nil {
			return least, err
		}
		if i == 0 || q.Remaining < least.Remaining {
			least = q
		}
	}
	return least, nil
}

// Quota returns the tightest quota when the event began.
func (b begunIn) Quota() (least ratelimit.Quota) {
	for i, e := range b {
		if q := e.Quota(); i == 0 || q.Remaining < least.Remaining {
			least = q
		}
	}
	return least
}

// forget takes the event back.
func (b begunIn) forget(ctx context.Context, s *Server) {
	for _, e := range b {
		s.forget(ctx, e.Forget)
	}
}

// network is what a limit counts as one client.
func network(a netip.Addr) netip.Prefix { return networks(a)[0] }

// widening is how much more each wider network may have than the one within it: neighbors
// share a network, and must not pay for one another.
const widening = 2

// tally counts what is held by each network. It is not safe for concurrent use.
type tally map[netip.Prefix]int

// add counts n more for an address, unless one of its networks would then have more than
// its limit: each for the narrowest.
func (t tally) add(a netip.Addr, n, each int) bool {
	list := networks(a)
	for _, of := range list {
		if t[of]+n > each {
			return false
		}
		each *= widening
	}
	for _, of := range list {
		t[of] += n
	}
	return true
}

// remove takes n back.
func (t tally) remove(a netip.Addr, n int) {
	if n == 0 {
		return
	}
	for _, of := range networks(a) {
		if t[of] -= n; t[of] <= 0 {
			delete(t, of)
		}
	}
}

// clients counts what the clients do and hold: requests a second, requests in progress, streams among them, and bytes
// of their bodies. Behind a proxy every client is counted for itself, by the address that
// the proxy reports. It is safe for concurrent use.
type clients struct {
	mu       sync.Mutex
	rates    rates
	requests tally
	bytes    tally
	all      int // bytes of all bodies
}

// crowdedOut is the error for a client that has each requests in progress.
func crowdedOut(each int) error {
	return ratelimit.Refuse(ratelimit.Quota{Limit: each, Reset: time.Second}, "Trop de requêtes de votre réseau sont en cours. Attendez la fin de l’une d’elles.")
}

// enter counts a request of an address. Each network may have so many in progress, and send
// so many a second; leave takes the former back. The error is TooMany.
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
		return nil, crowdedOut(each)
	}
	return sync.OnceFunc(func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.requests.remove(a, 1)
	}), nil
}

// hold reports whether n more bytes of a body may be held in memory.
func (k *clients) hold(a netip.Addr, n int, room ByteRoom) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes == nil {
		k.bytes = tally{}
	}
	if k.all+n > room.All || !k.bytes.add(a, n, room.Each) {
		return false
	}
	k.all += n
	return true
}

// release takes bytes back.
func (k *clients) release(a netip.Addr, n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.bytes.remove(a, n)
	k.all -= n
}

// ByteRoom limits the bytes of bodies in memory.
type ByteRoom struct {
	All  int // of the process
	Each int // of one network
}

// isProbe reports whether a request asks whether the service lives. Probes hold nothing, and
// an attack must not make a supervisor take the service for dead.
func isProbe(c *fiber.Ctx) bool { return c.Path() == "/healthz" || c.Path() == "/readyz" }
