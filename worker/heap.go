package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeadroom is how many bytes may be allocated at least from one collection of the
// heap to the next. By its own rule the collector runs whenever the heap has doubled: a
// worker with a small catalogue would be collected several times per answer.
const leastHeadroom = 64 << 20

// The percentages set: the collector's own rule, headroom as large as what is held, and
// the one at which the smallest heap that it keeps, 4 MB at 100, is leastHeadroom.
const (
	usualPercent = 100
	mostPercent  = leastHeadroom / (4 << 20) * usualPercent
)

// headroomPercent is the share of the live bytes, in percent, that may be allocated before
// the next collection: what leastHeadroom is of them, and never less than the usual one.
func headroomPercent(live uint64) int {
	return int(min(max(leastHeadroom*usualPercent/max(live, 1), usualPercent), mostPercent))
}

// keepHeadroom holds leastHeadroom for as long as the program runs. Memory that is merely
// allocated and never touched would do so too, but adds as much again to a large heap.
// Where the environment sets GOGC that holds, and nothing is done.
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

// liveBytes is what the last collection found in use.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// afterCollections calls f after collections of the heap, one call at a time; f must
// return soon.
func afterCollections(f func()) {
	// Nothing refers to the mark, so the next collection finds it dead.
	mark := new([4]uintptr)
	runtime.AddCleanup(mark, func(f func()) {
		f()
		afterCollections(f)
	}, f)
}
