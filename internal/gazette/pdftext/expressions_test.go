package pdftext

import (
	"testing"

	"vigueur/internal/kit/lazyre"
)

// Regular expressions are compiled at their first use, so this test finds a wrong one earlier.
func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	if lazyre.CompileAll() == 0 {
		t.Error("no expressions")
	}
}
