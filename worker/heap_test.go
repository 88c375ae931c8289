package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestHeadroomPercent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		live uint64
		want int
	}{
		{64 << 20, 100}, {65 << 20, 100}, {1 << 40, 100}, // as much as is live, however much that is
		{32 << 20, 200}, {16 << 20, 400}, {4 << 20, 1600}, // 64 MB
		{1 << 20, 1600}, {1, 1600}, {0, 1600}, // limited: the minimum heap grows with the percentage
	} {
		if got := headroomPercent(c.live); got != c.want {
			t.Errorf("%d bytes: %d percent, want %d", c.live, got, c.want)
		}
	}
}

// TestHeapLimit checks that the children have their room, where that leaves the worker half.
func TestHeapLimit(t *testing.T) {
	t.Parallel()
	const gib = 1 << 30
	for _, c := range []struct {
		container uint64
		files     int
		want      uint64
	}{
		{16 * gib, 2, 12 * gib}, {16 * gib, 0, 14 * gib}, {8 * gib, 2, 5 * gib},
		{4 * gib, 2, 2 * gib}, {gib, 2, gib / 2}, {gib, 100, gib / 2}, // half at least
		{0, 2, 0},
	} {
		if got := heapLimit(c.container, c.files); got != c.want {
			t.Errorf("%d bytes, %d files: %d, want %d", c.container, c.files, got, c.want)
		}
	}
	child, err := os.ReadFile("../internal/gazette/pdftext/process.go")
	if err != nil || !strings.Contains(string(child), fmt.Sprintf(`"GOMEMLIMIT=%dGiB"`, childMemory/gib)) {
		t.Errorf("the children have another limit than %d bytes, %v", childMemory, err)
	}
}

// TestAfterCollections checks that each collection after the previous call leads to a call.
func TestAfterCollections(t *testing.T) {
	t.Parallel()
	called := make(chan struct{}, 100)
	afterCollections(func() {
		select {
		case called <- struct{}{}:
		default:
		}
	})
	for n := range 3 {
		waited := time.After(time.Minute)
		for done := false; !done; {
			runtime.GC() // a collection may have been running when the mark was made
			select {
			case <-called:
				done = true
			case <-waited:
				t.Fatalf("no call after %d", n)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	if liveBytes() == 0 {
		t.Error("nothing is live after a collection")
	}
}
