package public

import (
	"testing"
	"time"
)

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
