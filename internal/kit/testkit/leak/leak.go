// Package leak fails tests that leave goroutines behind.
package leak

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and ends the process with their exit code, or with 1
// and the stacks of the goroutines that are left once they have passed. Goroutines with
// one of the ignored functions anywhere in their stack may stay.
func Main(m *testing.M, ignored ...string) { goleak.VerifyTestMain(m, options(ignored)...) }

// Find returns an error with the stacks of the goroutines that do not end within half a
// second, nil if there are none; the ignored ones may stay.
func Find(ignored ...string) error { return goleak.Find(options(ignored)...) }

func options(ignored []string) []goleak.Option {
	list := make([]goleak.Option, len(ignored))
	for i, function := range ignored {
		list[i] = goleak.IgnoreAnyFunction(function)
	}
	return list
}
