package report

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Machine is what figures depend on besides the code.
type Machine struct {
	CPU      string  `json:"cpu"`
	Cores    int     `json:"cores"`
	MemoryGB float64 `json:"memory_gb"` // GiB of main memory
	Kernel   string  `json:"kernel"`
	Go       string  `json:"go"`
	Load     float64 `json:"load"` // the one-minute load average when the benchmark began
}

// ThisMachine describes the machine it runs on, as far as /proc tells: what cannot be read stays empty or 0.
func ThisMachine() Machine {
	read := func(path string) string {
		content, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		return string(content)
	}
	return Machine{
		CPU:      cpuName(read("/proc/cpuinfo")),
		Cores:    runtime.NumCPU(),
		MemoryGB: memoryGB(read("/proc/meminfo")),
		Kernel:   strings.TrimSpace(read("/proc/sys/kernel/osrelease")),
		Go:       runtime.Version(),
		Load:     load(read("/proc/loadavg")),
	}
}

// String is the machine on one line.
func (m Machine) String() string {
	cpu := m.CPU
	if cpu == "" {
		cpu = "unknown CPU"
	}
	return fmt.Sprintf("%s, %d cores, %s GB, Linux %s, %s, load %.2f", cpu, m.Cores, number(m.MemoryGB), m.Kernel, m.Go, m.Load)
}

func cpuName(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// memoryGB reads MemTotal, which the kernel gives in KiB, and rounds to a tenth of a GiB.
func memoryGB(meminfo string) float64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) >= 2 && fields[0] == "MemTotal:" {
			kib, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				return 0
			}
			return float64(int(kib/(1<<20)*10+0.5)) / 10
		}
	}
	return 0
}

func load(loadavg string) float64 {
	first, _, _ := strings.Cut(loadavg, " ")
	value, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return value
}
