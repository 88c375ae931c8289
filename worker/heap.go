package main

import (
	"context"
	"log/slog"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// childMemory is the memory limit of a child that reads a PDF, in bytes (GOMEMLIMIT in
// internal/gazette/pdftext).
const childMemory = 1 << 30

// heapLimit returns Go's memory limit for a worker in a container with so many bytes of
// memory that reads so many PDF files at once. The children have their own memory in the
// same container, and an eighth is left to the kernel's buffers and to Tesseract. But the
// worker gets at least half: children rarely reach their limit, while a worker whose index
// does not fit into its own would collect garbage all the time.
func heapLimit(container uint64, files int) uint64 {
	others := container/8 + uint64(max(files, 0))*childMemory
	return max(container-min(others, container), container/2)
}

// limitHeap sets Go's memory limit from the container's, unless GOMEMLIMIT sets it. Without
// it, the heap grows to twice what is live before it is collected, and the kernel ends a
// worker whose index takes half of the container. Without a container's limit there is none.
func limitHeap(files int, log *slog.Logger) {
	limit, err := memlimit.Set(memlimit.WithRatio(1), memlimit.WithProvider(func() (uint64, error) {
		container, err := memlimit.FromCgroup()
		return heapLimit(container, files), err
	}))
	if err == nil && limit > 0 && limit < math.MaxInt64 {
		log.LogAttrs(context.Background(), slog.LevelInfo, "memory limit", slog.Int64("bytes", limit))
	}
}

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
