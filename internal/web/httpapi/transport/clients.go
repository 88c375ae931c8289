package transport

import (
	"net/netip"
	"sync"
	"time"

	"vigueur/internal/store/ratelimit"
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

// ErrCrowdedOut is the error for a client that has each requests in progress.
func ErrCrowdedOut(each int) error {
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
		return nil, ErrCrowdedOut(each)
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
