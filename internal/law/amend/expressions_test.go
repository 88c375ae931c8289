package amend

import (
	"testing"

	"vigueur/internal/kit/lazyre"
)

// Expressions are compiled when they are first used. This test finds invalid ones earlier.
func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	if lazyre.CompileAll() == 0 {
		t.Error("no expressions")
	}
}
