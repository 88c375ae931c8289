package main

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestUnreached(t *testing.T) {
	t.Setenv("GOWORK", "off") // the module of the test is not among the project's
	root, err := filepath.Abs(filepath.Join("testdata", "module"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := unreached(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	const deep = "example.org/module/internal/deep"
	file := filepath.Join("internal", "deep", "deep.go")
	want := []function{{"(" + deep + ".Named).Other", file}, {"(" + deep + ".Part).Rest", file}, {deep + ".Unused", file}, {deep + ".helper", file}}
	if !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}

func TestProgramsThatDoNotCompile(t *testing.T) {
	t.Setenv("GOWORK", "off")
	if found, err := unreached(t.TempDir(), "."); err == nil {
		t.Errorf("no error, %v", found)
	}
}
