package public

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// TestNobodyHoldsAPage has a network that has used up its slots ask first for a page that another asks for.
func TestNobodyHoldsAPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Pages{Guard: &guard.Guard{Transport: &transport.Transport{}}, most: 4}
		greedy, honest, later := netip.MustParseAddr("192.0.2.66"), netip.MustParseAddr("198.51.100.10"), time.Now()
		slow := func(ctx context.Context) (publicPage, error) {
			<-ctx.Done()
			return publicPage{}, ctx.Err()
		}
		quick := func(context.Context) (publicPage, error) { return publicPage{}, nil }
		for _, key := range []string{"a", "b", "popular"} {
			go func() { _, _ = s.makeOnce(t.Context(), greedy, key, 1, later, slow) }()
			synctest.Wait()
		}
		if _, err := s.makeOnce(t.Context(), honest, "popular", 1, later, quick); err != nil || time.Since(later) > 0 {
			t.Errorf("%v, after %v", err, time.Since(later))
		}
		time.Sleep(time.Minute) // until all have ended
	})
}

// TestPublicPagesAreKept makes a page once for many requests, and anew when the catalogue has
// changed.
func TestPublicPagesAreKept(t *testing.T) {
	var p publicPages
	now := time.Now()
	page := &publicPage{seen: 1, made: now}
	p.put("a", page)
	if got, ok := p.get("a", 1, now); !ok || got != page {
		t.Error("a page is not kept")
	}
	if _, ok := p.get("a", 2, now); ok {
		t.Error("a page outlives a change of the catalogue")
	}
	if _, ok := p.get("a", 1, now.Add(publicLife)); ok {
		t.Error("a page outlives its time")
	}
	big := &publicPage{body: make([]byte, publicMemory/8), seen: 1, made: now}
	for _, key := range []string{"b", "c", "a", "d", "e", "f"} {
		p.put(key, big)
	}
	if len(p.recent)+len(p.older) > 6 || p.size > publicMemory {
		t.Errorf("%d and %d pages, %d bytes", len(p.recent), len(p.older), p.size)
	}
}
