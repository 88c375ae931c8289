package french_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"vigueur/internal/law/french"
)

// What is hostile must not cost more than its length: four times the text costs
// four times the work, not sixteen. The work is the thread's own processor time,
// which a busy machine does not change.
func TestHostileTextIsReadInLinearTime(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, part := range []string{"1-", "1/", "1 000 ", "1.000.", "a.", "A. ", "article ", "articles 1, ", "mille ", "deux cent ", "vingt et ", "n° ",
		"l'", "L. 1-", ".[", "!  ", "«", "e\u0301", "quatre-vingt-", "1er ", "\xff", "[1] ", "deux mille ", "un ", "à ", "1 à ", "a'"} {
		var short, long time.Duration
		// The collector may take its share in one measurement, hardly in five.
		for range 5 {
			short, long = work(t, part, 25_000), work(t, part, 100_000)
			if linear(short, long) {
				break
			}
		}
		if !linear(short, long) {
			t.Errorf("100 kB of %q cost %v, 25 kB %v", part, long, short)
		}
	}
}

// linear leaves room between four times and sixteen.
func linear(short, long time.Duration) bool { return long <= 10*max(short, 5*time.Millisecond) }

// work is the processor time that size bytes of part cost.
func work(t *testing.T, part string, size int) time.Duration {
	t.Helper()
	text := strings.Repeat(part, size/len(part))
	began := threadTime(t)
	french.Analyze(text)
	french.Sentences(text)
	french.Facts(text)
	return threadTime(t) - began
}

func threadTime(t *testing.T) time.Duration {
	t.Helper()
	const thisThread = 1 // RUSAGE_THREAD, which package syscall does not name
	var used syscall.Rusage
	if err := syscall.Getrusage(thisThread, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano())
}
