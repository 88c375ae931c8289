package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeadroom is the minimum number of bytes that may be allocated between two garbage
// collections. By default a collection runs whenever the heap has doubled, which for a
// worker with a small catalogue is several times per answer.
const leastHeadroom = 64 << 20

// GC percentages: the default, and the one at which the minimum heap (4 MB at 100) is
// leastHeadroom.
const (
	usualPercent = 100
	mostPercent  = leastHeadroom / (4 << 20) * usualPercent
)

// headroomPercent is the GC percentage for a number of live bytes: leastHeadroom in percent
// of them, but at least the default.
func headroomPercent(live uint64) int {
	return int(min(max(leastHeadroom*usualPercent/max(live, 1), usualPercent), mostPercent))
}

// keepHeadroom ensures leastHeadroom for as long as the program runs. A ballast of
// allocated but untouched memory would too, but would double the headroom of a large heap.
// If GOGC is set in the environment, it does nothing.
func keepHeadroom() {
	if os.Getenv("GOGC") != "" {
		return
	}
	set := usualPercent
	adjust := func() {
		if p := headroomPercent(liveBytes()); p != set {
			set = p
			debug.SetGCPercent(p)
		}
	}
	adjust()
	afterCollections(adjust)
}

// liveBytes is the number of bytes in use after the last collection.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// afterCollections calls f after garbage collections, one call at a time; f must return
// soon.
func afterCollections(f func()) {
	// Nothing refers to the mark, so the next collection frees it.
	mark := new([4]uintptr)
	runtime.AddCleanup(mark, func(f func()) {
		f()
		afterCollections(f)
	}, f)
}
