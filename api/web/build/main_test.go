package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheFolderIsThatOfTheModule checks that the page is found from any folder of the
// repository, and also with -trimpath, with which the images build the program.
func TestTheFolderIsThatOfTheModule(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(below)
	if got, err := folder(); err == nil {
		t.Errorf("outside a module: %s", got)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{root, below} {
		t.Chdir(at)
		if got, err := folder(); err != nil || got != filepath.Join(root, "api", "web") {
			t.Errorf("in %s: %s, %v", strings.TrimPrefix(at, root), got, err)
		}
	}
}
