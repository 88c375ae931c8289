// Package parallel runs functions concurrently, on all cores or beside the caller. A panic in
// one of them is raised again in the caller, so that a server that recovers from panics
// survives; a panic in a goroutine of its own would end the process.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// Go starts do in a goroutine and returns a function that waits for its end and
// is called once. If do panicked, wait panics too, with the value and the stack of
// do as a text.
func Go(do func()) (wait func()) {
	done := make(chan any, 1)
	go func() { done <- panicOf(do) }()
	return func() {
		if v := <-done; v != nil {
			panic(v)
		}
	}
}

// Each calls do for 0 to n-1 on all cores and returns when all calls have. If one
// panics, so does Each after the others have ended; tasks that nobody has begun by
// then may be left undone.
func Each(n int, do func(i int)) {
	Workers(min(n, runtime.GOMAXPROCS(0)), n, func(_, i int) { do(i) })
}

// Workers is Each for work that keeps a state for each goroutine: so many workers
// (one at least) take the tasks, each its own in ascending order, and do is told
// which worker calls it, from 0. Worker 0 is the caller's own goroutine.
func Workers(workers, n int, do func(worker, i int)) {
	var next atomic.Int64
	work := func(worker int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(worker, i)
		}
	}
	panics := make(chan any, max(0, workers-1))
	for worker := 1; worker < workers; worker++ {
		go func() { panics <- panicOf(func() { work(worker) }) }()
	}
	panicked := panicOf(func() { work(0) })
	for range cap(panics) {
		if v := <-panics; v != nil {
			panicked = v
		}
	}
	if panicked != nil {
		panic(panicked)
	}
}

// panicOf calls f and returns the value and the stack of its panic, nil if there
// was none.
func panicOf(f func()) (panicked any) {
	defer func() {
		if v := recover(); v != nil {
			panicked = fmt.Sprintf("%v\n%s", v, debug.Stack())
		}
	}()
	f()
	return nil
}
