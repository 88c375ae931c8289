package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheFolderIsThatOfTheRepository checks that the page is found from any folder of the
// repository, and also with -trimpath, with which the images build the program.
func TestTheFolderIsThatOfTheRepository(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	below, web := filepath.Join(root, "a", "b"), filepath.Join(root, "api", "web")
	for _, made := range []string{below, web} {
		if err := os.MkdirAll(made, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// The module that the command is run in is below the repository's root.
	if err := os.WriteFile(filepath.Join(below, "go.mod"), []byte("module m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(below)
	if got, err := folder(); err == nil {
		t.Errorf("outside a repository: %s", got)
	}
	if err := os.WriteFile(filepath.Join(web, "package.json"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{root, below} {
		t.Chdir(at)
		if got, err := folder(); err != nil || got != web {
			t.Errorf("in %s: %s, %v", strings.TrimPrefix(at, root), got, err)
		}
	}
}
