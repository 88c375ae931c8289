// Package leak fails tests that leave goroutines behind.
package leak

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and exits with their exit code. If they pass but
// goroutines are left, it prints the goroutines' stacks and exits with 1. A goroutine may
// stay if its stack contains one of the ignored functions.
func Main(m *testing.M, ignored ...string) { goleak.VerifyTestMain(m, options(ignored)...) }

// Find returns an error with the stacks of the goroutines that do not end within half a
// second, nil if there are none. A goroutine may stay if its stack contains one of the
// ignored functions.
func Find(ignored ...string) error { return goleak.Find(options(ignored)...) }

func options(ignored []string) []goleak.Option {
	list := make([]goleak.Option, len(ignored))
	for i, function := range ignored {
		list[i] = goleak.IgnoreAnyFunction(function)
	}
	return list
}
