// Package cost fails tests of code whose work grows faster than its input.
package cost

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// most is the work for twice the input, compared with that for the input, of code that is
// linear but for what caches and memory add.
const most = 2.2

// tries is how often a measurement that is too high is made again: other processes disturb
// it, and only ever make it higher.
const tries = 5

// Linear fails a test unless work on twice the input costs at most 2.2 times the processor
// time. It compares an input of the given size, the bound of what the code accepts, with one
// of an eighth, which is three doublings. input makes an input of a size. work must do
// everything in the goroutine that calls it.
func Linear[T any](t testing.TB, size int, input func(size int) T, work func(T)) {
	t.Helper()
	small, large := input(size/8), input(size)
	const doublings = 3
	limit := 1.0
	for range doublings {
		limit *= most
	}
	var a, b time.Duration
	for range tries {
		a, b = measure(small, work), measure(large, work)
		if float64(b) <= limit*float64(a) {
			return
		}
	}
	t.Errorf("%d times the input takes %.1f times the time (%v, then %v at the size %d), want at most %.1f", 1<<doublings, float64(b)/float64(a), a, b, size, limit)
}

// measure returns the least processor time that work took. Short work is repeated.
func measure[T any](input T, work func(T)) time.Duration {
	const enough = 20 * time.Millisecond
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	best := time.Duration(1<<63 - 1)
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
