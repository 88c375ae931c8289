package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clockTick is what /proc counts processor time in; 100 a second on every Linux that Go runs on.
const clockTick = time.Second / 100

// spent is the processor time of this process, of its children that have ended, and of those that still run: PDFium
// paints in one of these.
func spent() (time.Duration, error) {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0, fmt.Errorf("processor time: %w", err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return 0, err
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for pid := range strings.FieldsSeq(string(text)) {
			sum += running(pid)
		}
	}
	return sum, nil
}

// running is the processor time of a process that still runs, 0 of one that has just ended.
func running(pid string) (sum time.Duration) {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return 0
	}
	_, behind, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(behind)
	const user, system = 11, 12 // behind the name
	for _, at := range []int{user, system} {
		if at < len(fields) {
			ticks, _ := strconv.ParseInt(fields[at], 10, 64)
			sum += time.Duration(ticks) * clockTick
		}
	}
	return sum
}
