package question

import (
	"testing"

	"vigueur/internal/kit/lazyre"
)

// Expressions are compiled when first used, and a wrong one is to fail before.
func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	if lazyre.CompileAll() == 0 {
		t.Error("no expressions")
	}
}
