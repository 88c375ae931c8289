package main

import (
	"path/filepath"
	"testing"

	"vigueur/e2e/stage"
)

// TestFilesAreWhatTheGeneratorMakes fails when package house makes other issues than those
// that the tests of internal/gazette/segment read.
func TestFilesAreWhatTheGeneratorMakes(t *testing.T) {
	t.Parallel()
	if err := run(filepath.Join(stage.Root(), folder), true); err != nil {
		t.Error(err)
	}
}
