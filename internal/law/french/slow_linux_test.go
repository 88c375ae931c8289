package french_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"vigueur/internal/law/french"
)

// Hostile input must not take more than linear time: a text of four times the length takes
// about four times the processor time, not sixteen times. The test measures the time of its
// own thread, which does not depend on other processes.
func TestHostileTextIsReadInLinearTime(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, part := range []string{"1-", "1/", "1 000 ", "1.000.", "a.", "A. ", "article ", "articles 1, ", "mille ", "deux cent ", "vingt et ", "n° ",
		"l'", "L. 1-", ".[", "!  ", "«", "e\u0301", "quatre-vingt-", "1er ", "\xff", "[1] ", "deux mille ", "un ", "à ", "1 à ", "a'"} {
		var short, long time.Duration
		// The garbage collector may disturb one measurement, but hardly all five.
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

// linear is a limit between four times and sixteen times.
func linear(short, long time.Duration) bool { return long <= 10*max(short, 5*time.Millisecond) }

// work returns the processor time that it takes to analyze size bytes of repetitions of
// part.
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
	const thisThread = 1 // RUSAGE_THREAD, which package syscall lacks
	var used syscall.Rusage
	if err := syscall.Getrusage(thisThread, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano())
}
