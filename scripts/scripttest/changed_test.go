package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangedPackages holds what check --fast looks at: packages with an edit, a new file or a removed one, but neither
// test data nor a folder whose last Go file is gone.
func TestChangedPackages(t *testing.T) {
	dir, checks := t.TempDir(), absolute(t, "../lib/checks.sh")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	for _, name := range []string{"same", "edited", "shrunk", "gone", "with space", "data/testdata"} {
		write(name+"/a.go", "package a\n")
		write(name+"/b.go", "package a\n")
	}
	git("add", ".")
	git("commit", "-q", "-m", "a")
	write("edited/a.go", "package a // edited\n")
	write("with space/a.go", "package a // edited\n")
	write("data/testdata/a.go", "package a // edited\n")
	write("new/a.go", "package a\n")
	write("same/notes.md", "no Go\n")
	git("rm", "-q", "-r", "shrunk/a.go", "gone")

	cmd := exec.Command("bash", "-euo", "pipefail", "-c", `. "$0"; changed_packages`, checks)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "./edited ./new ./shrunk ./with space"
	if got := strings.Join(strings.Split(strings.TrimSpace(string(out)), "\n"), " "); got != want {
		t.Errorf("changed packages: %s, want %s", got, want)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
