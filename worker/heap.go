package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeadroom is the minimum number of bytes that can be allocated between two garbage
// collections. By default, a collection runs whenever the heap has doubled. For a worker
// with a small catalogue, that is several times per answer.
const leastHeadroom = 64 << 20

// GC percentages: the default, and the maximum. With the maximum, the minimum heap (4 MB at 100
// percent) becomes leastHeadroom.
const (
	usualPercent = 100
	maxPercent   = leastHeadroom / (4 << 20) * usualPercent
)

// headroomPercent returns the GC percentage for a number of live bytes, so that
// leastHeadroom bytes can be allocated. It is at least the default.
func headroomPercent(live uint64) int {
	return int(min(max(leastHeadroom*usualPercent/max(live, 1), usualPercent), maxPercent))
}

// keepHeadroom ensures leastHeadroom while the program runs. A ballast of allocated but
// unused memory would have the same effect, but would also double the headroom of a large
// heap. If GOGC is set in the environment, keepHeadroom does nothing.
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

// liveBytes returns the number of bytes in use after the last collection.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// afterCollections calls f after each garbage collection, one call at a time. f must return
// soon.
func afterCollections(f func()) {
	// Nothing refers to mark, so the next collection frees it and runs the cleanup.
	mark := new([4]uintptr)
	runtime.AddCleanup(mark, func(f func()) {
		f()
		afterCollections(f)
	}, f)
}
