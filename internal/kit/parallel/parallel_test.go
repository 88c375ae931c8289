package parallel

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// panicIn returns the value of f's panic as a text, "" if f does not panic.
func panicIn(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}

func TestEachRunsEveryTaskOnce(t *testing.T) {
	t.Parallel()
	seen := make([]int, 1000)
	Each(len(seen), func(i int) { seen[i]++ })
	if i := slices.IndexFunc(seen, func(n int) bool { return n != 1 }); i >= 0 {
		t.Errorf("task %d ran %d times", i, seen[i])
	}
	Each(0, func(int) { t.Error("called for nothing") })
}

func TestWorkersTakeTheirTasksInOrder(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{0, 1, 3, 8} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			t.Parallel()
			last := make([]int, max(1, workers))
			var runs atomic.Int64
			Workers(workers, 500, func(worker, i int) {
				if i+1 <= last[worker] {
					t.Errorf("worker %d: task %d after %d", worker, i, last[worker]-1)
				}
				last[worker] = i + 1
				runs.Add(1)
			})
			if runs.Load() != 500 || slices.Max(last) != 500 {
				t.Errorf("%d tasks ran, the last of each worker: %v", runs.Load(), last)
			}
		})
	}
}

// A panic reaches the caller with the place of its origin, in whichever goroutine it
// occurred, after the other workers have ended.
func TestAPanicIsTheCallers(t *testing.T) {
	t.Parallel()
	for worker := range 2 {
		t.Run(fmt.Sprint("worker ", worker), func(t *testing.T) {
			t.Parallel()
			var both sync.WaitGroup
			both.Add(2)
			ended := false // only the worker that does not panic writes it, without a lock
			text := panicIn(func() {
				Workers(2, 2, func(w, _ int) {
					both.Done()
					both.Wait() // each worker runs one task
					if w == worker {
						panic("page 7")
					}
					ended = true
				})
			})
			if !strings.HasPrefix(text, "page 7\n") || !strings.Contains(text, "parallel_test.go") || !ended {
				t.Errorf("recovered %q, the other worker ended: %v", text, ended)
			}
		})
	}
}

func TestGoWaits(t *testing.T) {
	t.Parallel()
	ran := false
	wait := Go(func() { ran = true })
	if wait(); !ran {
		t.Error("wait returned before the end")
	}
	wait = Go(func() { panic("broken") })
	if text := panicIn(wait); !strings.HasPrefix(text, "broken\n") {
		t.Errorf("recovered %q", text)
	}
}
