package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReached(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("parse.go", "package p\nfunc parse(s string) {}\nfunc (t T) read() {}\n")
	write("other.go", "package p\nfunc other() {}\n")
	write("p_test.go", "package p\nfunc FuzzParse(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { parse(s); v.read() }) }\nfunc FuzzNothing(f *testing.F) { f.Add(1) }\n")
	profile := write("profile", "mode: set\nv/p/parse.go:1.1,2.2 3 1\nv/p/parse.go:3.1,4.2 2 0\nv/p/other.go:1.1,2.2 4 7\n")
	for target, want := range map[string]string{
		"FuzzParse":   "FuzzParse " + filepath.Join(dir, "parse.go") + ": 3 of 5 statements\n",
		"FuzzNothing": "FuzzNothing " + filepath.Join(dir, "other.go") + ": 4 of 4 statements\n", // the file with the most
	} {
		var out strings.Builder
		if err := run(&out, dir, target, profile); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v; want %q", target, out.String(), err, want)
		}
	}
	var out strings.Builder
	if err := run(&out, dir, "FuzzMissing", profile); err == nil {
		t.Error("a test that does not exist")
	}
	if err := run(&out, dir, "FuzzParse", write("broken", "mode: set\nv/p/parse.go 3\n")); !errors.Is(err, errProfile) {
		t.Errorf("a broken profile: %v", err)
	}
}
