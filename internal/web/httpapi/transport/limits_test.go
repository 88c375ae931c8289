package transport

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/kit/errs"
)

func TestNetworksOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7":             "[192.0.2.7/32 192.0.2.0/24]",
		"::ffff:192.0.2.7":      "[192.0.2.7/32 192.0.2.0/24]",
		"2001:db8:1:234::5":     "[2001:db8:1:234::/64 2001:db8:1:200::/56 2001:db8:1::/48]",
		"fe80::1%eth0":          "[fe80::/64 fe80::/56 fe80::/48]",
		"2001:db8:1:234:5::ff%": "",
	} {
		a, err := netip.ParseAddr(address)
		if err != nil {
			equal(t, address, "", want)
			continue
		}
		equal(t, address, fmt.Sprint(Networks(a)), want)
	}
}

// A client with a /48 counts as a few clients, not as 65,536.
func TestWiderNetworksAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form string
		want int // of those that come from all of it, each may have 10
	}{
		{"192.0.2.%d", 20}, {"192.0.%d.1", 2000},
		{"2001:db8:1:2::%x", 10}, {"2001:db8:1:2%02x::1", 20}, {"2001:db8:1:%02x00::1", 40}, {"2001:db8:%x::1", 2000},
	} {
		held := tally{}
		var in []netip.Addr
		for i := range 200 {
			a := netip.MustParseAddr(fmt.Sprintf(c.form, i))
			for range 10 {
				if held.add(a, 1, 10) {
					in = append(in, a)
				}
			}
		}
		equal(t, c.form, len(in), c.want)
		for _, a := range in {
			held.remove(a, 1)
		}
		equal(t, c.form+": networks kept", len(held), 0)
	}
}

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

// A client that has all that one may have waits, and keeps out nobody else.
func TestNobodyHasAllSlots(t *testing.T) {
	t.Parallel()
	s := &Slots{}
	ctx := t.Context()
	first, err := s.Take(ctx, Turn{Who: "a", Most: 2, Each: 1, Patience: Patient})
	ok(t, err)
	got := make(chan func())
	go func() {
		release, err := s.Take(ctx, Turn{Who: "a", Most: 2, Each: 1, Patience: Patient})
		if err != nil {
			t.Error(err)
		}
		got <- release
	}()
	for s.mu.Lock(); len(s.waiting) == 0; s.mu.Lock() { // until it waits
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	s.mu.Unlock()
	other, err := s.Take(ctx, Turn{Who: "b", Most: 2, Each: 1, Patience: Patient})
	ok(t, err)
	_, err = s.Take(ctx, Turn{Who: "c", Most: 2, Each: 1})
	if !errs.Is(errs.New(errs.KindOf(err), ""), errs.Unavailable) {
		t.Errorf("without a slot: %v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = s.Take(gone, Turn{Who: "c", Most: 2, Each: 1, Patience: Patient}); err == nil {
		t.Error("a slot for one that is gone")
	}
	first()
	first() // once
	second := <-got
	second()
	other()
	if s.all != 0 || len(s.of) != 0 || len(s.waiting) != 0 || len(s.served) != 0 {
		t.Errorf("left: %d, %v, %d, %v", s.all, s.of, len(s.waiting), s.served)
	}
}

// A wide network has no more slots than a narrow one, and those who waited less often come first.
func TestSlotsOfWideNetworks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, order := &Slots{}, []string{}
		take := func(address string) {
			release, err := s.Take(t.Context(), Turn{Most: 1, Each: 1, Patience: Patient}.Of(netip.MustParseAddr(address)))
			ok(t, err)
			order = append(order, address)
			time.Sleep(time.Second)
			release()
		}
		go take("2001:db8:1:1::1")
		synctest.Wait()
		for _, address := range []string{"2001:db8:1:2::1", "2001:db8:1:fff3::1", "2001:db8:2::1"} {
			go take(address)
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		synctest.Wait() // the goroutines' writes come before what is read here
		if want := []string{"2001:db8:1:1::1", "2001:db8:2::1", "2001:db8:1:2::1", "2001:db8:1:fff3::1"}; !slices.Equal(order, want) {
			t.Errorf("order %v", order)
		}
		wide := Turn{Most: 4, Each: 1}
		release, err := s.Take(t.Context(), wide.Of(netip.MustParseAddr("2001:db8:1:1::1")))
		ok(t, err)
		if _, err := s.Take(t.Context(), wide.Of(netip.MustParseAddr("2001:db8:1:2::1"))); err == nil {
			t.Error("two slots for one /48")
		}
		release()
	})
}
