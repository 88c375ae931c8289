package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc/PID/stat, which Linux has kept at a hundredth of a
// second on every machine that Go runs on.
const tick = 10 * time.Millisecond

// busy is the processor time that a process and its children have taken, those that
// it has waited for and those that live; unlike the time that passes, it does not
// count what other programs do meanwhile.
func busy(pid int) (taken time.Duration, err error) {
	for _, p := range append(children(pid), pid) {
		of, err := busyAlone(p)
		if err != nil && p == pid {
			return 0, err
		}
		taken += of
	}
	return taken, nil
}

// busyAlone is that of a process and the children it has waited for.
func busyAlone(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name, in brackets, may hold anything; behind it come numbers.
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	fields := strings.Fields(rest)
	const user, count = 11, 4 // user, system, and those of the children
	if len(fields) < user+count {
		return 0, fmt.Errorf("/proc/%d/stat: %d fields", pid, len(fields))
	}
	var ticks int64
	for _, f := range fields[user:][:count] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/%d/stat: %w", pid, err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// spent measures the time that passes and the processor time of a process while f
// runs.
func spent(pid int, f func() error) (taken cost, err error) {
	before, err := busy(pid)
	if err != nil {
		return cost{}, err
	}
	began := time.Now()
	if err := f(); err != nil {
		return cost{}, err
	}
	passed := time.Since(began)
	after, err := busy(pid)
	return cost{passed, after - before}, err
}

// cost is what reading files took.
type cost struct{ passed, busy time.Duration }

// rate is pages a second, each is milliseconds of a core for a page.
func (c cost) rate(pages int) float64 { return float64(pages) / c.passed.Seconds() }
func (c cost) each(pages int) float64 { return c.busy.Seconds() * 1000 / float64(pages) }
