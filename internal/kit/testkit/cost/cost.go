// Package cost fails tests of code whose work grows faster than its input.
package cost

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// most is the work for twice the input, compared with that for the input, of code that is
// linear but for what caches and memory add.
const most = 2.2

// harmless is the time that work may take on the largest input, however it grows: nobody can stop
// a service with it, and what memory costs in so short a time says nothing about growth.
const harmless = time.Millisecond

// tries is how often a measurement that is too high is made again. Other processes disturb it,
// and only ever make it higher: the least time of each size counts.
const tries = 6

// Linear fails a test unless work on twice the input costs at most 2.2 times the processor
// time. It looks at the last two doublings up to size, the bound of what the code accepts, and
// fails if both cost more: one of them may be where an input outgrows a cache, or a matcher that
// is for short texts. input makes an input of a size. work must do everything in the goroutine
// that calls it.
func Linear[T any](t testing.TB, size int, input func(size int) T, work func(T)) {
	t.Helper()
	inputs := [3]T{input(size / 4), input(size / 2), input(size)}
	least := [3]time.Duration{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	var first, second float64
	for range tries {
		for i := range inputs {
			least[i] = min(least[i], measure(inputs[i], work))
		}
		first, second = float64(least[1])/float64(least[0]), float64(least[2])/float64(least[1])
		if min(first, second) <= most || least[2] < harmless {
			return
		}
	}
	t.Errorf("twice the input takes %.1f times the time, then %.1f times (%v, %v, %v up to the size %d), want at most %.1f", first, second, least[0], least[1], least[2], size, most)
}

// measure returns the least processor time that work took, without that of collecting garbage.
// Short work is repeated.
func measure[T any](input T, work func(T)) time.Duration {
	const enough = 20 * time.Millisecond
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	best := time.Duration(math.MaxInt64)
	for spent, runs := time.Duration(0), 0; runs < 2 || spent < enough; runs++ {
		began := processor()
		work(input)
		took := processor() - began
		spent, best = spent+took, min(best, took)
	}
	return max(best, time.Microsecond)
}

// processor returns the processor time of the thread.
func processor() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
