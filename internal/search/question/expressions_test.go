package question

import (
	"testing"

	"vigueur/internal/kit/lazyre"
)

// Regular expressions are compiled on first use; this test finds a wrong one earlier.
func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	if lazyre.CompileAll() == 0 {
		t.Error("no expressions")
	}
}
