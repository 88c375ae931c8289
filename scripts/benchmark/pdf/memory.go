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

// long is how many MB a fresh worker and its children hold together at most while they take in one file, and what that costs.
func long(ctx context.Context, path string) (peak float64, taken cost, err error) {
	s, worker, err := system(ctx)
	if err != nil {
		return 0, cost{}, err
	}
	defer func() { _ = s.Close() }() // as above
	defer worker.Stop()
	most := watch(worker.PID())
	taken, err = spent(worker.PID(), func() error {
		_, err := add(ctx, s, path)
		return err
	})
	return most(), taken, err
}

// watch looks at a process and its children every few milliseconds until the
// function it gives is called, which tells the most they held at one time.
func watch(pid int) (peak func() float64) {
	var most atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(20 * time.Millisecond)
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

// resident is how many bytes of memory a process holds, 0 when it is gone. What it shares with others counts in part: a
// child that has not yet begun its own program shares all.
func resident(pid int) int64 {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(rollup), "\nPss:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
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
