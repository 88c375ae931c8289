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

// busy is the processor time that a process and the children it has waited for
// have taken; unlike the time that passes, it does not count what other programs
// do meanwhile.
func busy(pid string) (time.Duration, error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, err
	}
	// The name, in brackets, may hold anything; behind it come numbers.
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	fields := strings.Fields(rest)
	const user, count = 11, 4 // user, system, and those of the children
	if len(fields) < user+count {
		return 0, fmt.Errorf("/proc/%s/stat: %d fields", pid, len(fields))
	}
	var ticks int64
	for _, f := range fields[user:][:count] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/%s/stat: %w", pid, err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// spent measures the time that passes and the processor time of a process while f
// runs.
func spent(pid string, f func() error) (taken cost, err error) {
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
