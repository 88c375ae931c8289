package report

import (
	"slices"
	"time"
)

// Quantile is the time in ms that the share q of the times does not exceed; 0 of none.
func Quantile(times []time.Duration, q float64) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)].Microseconds()) / 1000
}
