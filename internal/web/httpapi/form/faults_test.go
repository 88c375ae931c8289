package form

import "testing"

// A response never lists more faults than the limit; the last one says that there are more.
func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var f Faults
	for range 2 * mostFaults {
		f.Missing([]any{"query", "a"})
	}
	if len(f) != mostFaults || f[mostFaults-1].Type != "value_error" {
		t.Errorf("%d faults, the last one %+v", len(f), f[len(f)-1])
	}
}
