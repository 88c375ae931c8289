package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// memory is how many MB a fresh worker and its child hold together at most while
// they take in one file.
func memory(ctx context.Context, path string) (float64, error) {
	s, worker, err := system(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.Close() }() // as above
	defer worker.Stop()
	peak := watch(worker.PID())
	_, err = add(ctx, s, path)
	return peak(), err
}

// watch looks at a process and its children every few milliseconds until the
// function it gives is called, which tells the most they held at one time.
func watch(pid int) (peak func() float64) {
	var most atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			held := resident(pid)
			for _, child := range children(pid) {
				held += resident(child)
			}
			most.Store(max(most.Load(), held))
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-stopped
		return float64(most.Load()) / (1 << 20)
	}
}

// resident is how many bytes of memory a process holds, 0 when it is gone.
func resident(pid int) int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// children are the processes that a process has started, by any of its threads.
func children(pid int) (pids []int) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	for _, list := range lists {
		content, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for field := range strings.FieldsSeq(string(content)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}
