// Package parallel runs functions concurrently, on all cores or beside the caller. If a
// function panics, the panic is raised again in the caller, so that a server that recovers
// from panics survives; a panic in a plain goroutine would end the process.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// Go starts do in a goroutine and returns a function that waits for its end. The caller
// must call wait once. If do panicked, wait panics, too; its value is a text with the value
// and stack of do's panic.
func Go(do func()) (wait func()) {
	done := make(chan any, 1)
	go func() { done <- panicOf(do) }()
	return func() {
		if v := <-done; v != nil {
			panic(v)
		}
	}
}

// Each calls do for 0 to n-1 on all cores and returns when all calls have ended. If a call
// panics, Each panics after the running calls have ended; calls that have not begun by then
// may be left out.
func Each(n int, do func(i int)) {
	Workers(min(n, runtime.GOMAXPROCS(0)), n, func(_, i int) { do(i) })
}

// Workers calls do for 0 to n-1 with a fixed number of workers, at least one, for tasks
// that need a state per goroutine. worker is the number of the calling worker, from 0. Each
// worker runs its tasks in ascending order. Worker 0 runs in the caller's goroutine.
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

// panicOf calls f and returns the value and stack of its panic as a text, nil if there was
// none.
func panicOf(f func()) (panicked any) {
	defer func() {
		if v := recover(); v != nil {
			panicked = fmt.Sprintf("%v\n%s", v, debug.Stack())
		}
	}()
	f()
	return nil
}
