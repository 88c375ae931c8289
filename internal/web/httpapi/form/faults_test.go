package form

import "testing"

// Faults of several parts of a request are as few together.
func TestJoinedFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var one, two Faults
	for range mostFaults - 1 {
		one.Missing([]any{"query", "a"})
		two.Missing([]any{"query", "b"})
	}
	if err := Join(one, two); len(err.(Faults)) != mostFaults { //nolint:errorlint,errcheck // it has no other type
		t.Errorf("%d faults", len(err.(Faults))) //nolint:errorlint,errcheck // the same
	}
}
