package report

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Resident is the memory of a process that lies in RAM, in KiB.
func Resident(pid int) (int, error) { return status(pid, "VmRSS:") }

// Peak is the most memory in RAM that a process has had, in KiB.
func Peak(pid int) (int, error) { return status(pid, "VmHWM:") }

// status is a figure that the kernel tells of a process, in KiB.
func status(pid int, name string) (int, error) {
	all, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(all)) {
		if rest, found := strings.CutPrefix(line, name); found {
			return strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	return 0, fmt.Errorf("process %d: /proc tells no %s", pid, strings.TrimSuffix(name, ":"))
}

// ticks is how many of them the kernel counts in a second of CPU time.
const ticks = 100

// CPU is the time that a process has spent on the CPU, in the program and in the kernel for it.
func CPU(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The program's name, in brackets, may hold blanks.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("process %d: /proc tells %d fields", pid, len(fields))
	}
	var sum time.Duration
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * time.Second / ticks
	}
	return sum, nil
}

// Used is the time that this process has spent on the CPU so far, finer than CPU tells it.
func Used() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
