package transport

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// A network may send a burst, and then requests at the rate; wider networks may send a few
// times as much, and what nobody uses is forgotten.
func TestRequestsOfANetworkKeepARate(t *testing.T) {
	t.Parallel()
	var r rates
	now := time.Now()
	many := func(form string, n int) (passed int) {
		for i := range n {
			if r.take(netip.MustParseAddr(fmt.Sprintf(form, i%200)), now) {
				passed++
			}
		}
		return passed
	}
	one := func(n int) int { return many("2001:db8:1:2:%x::1", n) }
	equal(t, "burst", one(1000), requestBurst)
	equal(t, "another network", many("192.0.2.%d", 10), 10)
	now = now.Add(time.Second / 2)
	equal(t, "after half a second", one(1000), requestRate/2)
	now = now.Add(time.Hour)
	equal(t, "after an hour", one(1000), requestBurst)
	equal(t, "a /56", many("2001:db8:1:2%02x::1", 5000), 2*requestBurst)
	now = now.Add(time.Hour)
	equal(t, "a /48", many("2001:db8:1:%02x00::1", 10_000), 4*requestBurst)
	r.sweep(now.Add(time.Minute))
	equal(t, "kept", len(r.of), 0)
	for range sweepEvery + 1 {
		now = now.Add(time.Second)
		r.take(netip.MustParseAddr(fmt.Sprintf("10.%d.%d.1", r.taken/250%250, r.taken%250)), now)
	}
	if len(r.of) > 20 {
		t.Errorf("%d networks are kept", len(r.of))
	}
}
