package main

import (
	"fmt"
	"net/http"
	"os"

	"vigueur/scripts/benchmark/report"
)

// clients are connections of their own, one a client.
var clients = func() (list [64]*http.Client) {
	for i := range list {
		list[i] = &http.Client{Transport: &http.Transport{}}
	}
	return list
}()

// peakMemory is the most memory, in MiB, that the process has held since its
// start or the last forgetPeak.
func peakMemory(pid int) (float64, error) {
	kib, err := report.Peak(pid)
	return float64(kib) / 1024, err
}

// forgetPeak makes the present memory the most.
func forgetPeak(pid int) error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0o600)
}
