package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a folder with a history of its own, for what looks at what differs from the last commit.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	r := &repository{t: t, dir: t.TempDir()}
	r.git("init", "-q")
	return r
}

func (r *repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *repository) commit() {
	r.t.Helper()
	r.git("add", ".")
	r.git("commit", "-q", "-m", "a")
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// lines returns what a function of lib/checks.sh prints there, in one line.
func (r *repository) lines(function string) string {
	r.t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", `. "$0"; "$1"`, absolute(r.t, "../lib/checks.sh"), function)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v\n%s", err, out)
	}
	return strings.Join(strings.Split(strings.TrimSpace(string(out)), "\n"), " ")
}

// TestChangedPackages holds what check --fast looks at: packages with an edit, a new file or a removed one, but neither
// test data nor a folder whose last Go file is gone.
func TestChangedPackages(t *testing.T) {
	r := newRepository(t)
	for _, name := range []string{"same", "edited", "shrunk", "gone", "with space", "data/testdata"} {
		r.write(name+"/a.go", "package a\n")
		r.write(name+"/b.go", "package a\n")
	}
	r.commit()
	r.write("edited/a.go", "package a // edited\n")
	r.write("with space/a.go", "package a // edited\n")
	r.write("data/testdata/a.go", "package a // edited\n")
	r.write("new/a.go", "package a\n")
	r.write("same/notes.md", "no Go\n")
	r.git("rm", "-q", "-r", "shrunk/a.go", "gone")
	if got, want := r.lines("changed_packages"), "./edited ./new ./shrunk ./with space"; got != want {
		t.Errorf("changed packages: %s, want %s", got, want)
	}
}

// TestChangedScripts holds which scripts check --fast reads: those with an edit and new ones, but none that is gone or is
// no script; and all when one differs that others source.
func TestChangedScripts(t *testing.T) {
	r := newRepository(t)
	for _, name := range []string{".ci/run", "scripts/edited", "scripts/gone", "scripts/same", "scripts/lib/apt-quietly", "scripts/lib/all.sh"} {
		r.write(name, "true\n")
	}
	r.commit()
	if got := r.lines("changed_scripts"); got != "" {
		t.Errorf("nothing has changed, and these did: %s", got)
	}
	r.write("scripts/edited", "false\n")
	r.write("scripts/new", "true\n")
	r.write("scripts/README.md", "no script\n")
	r.write("scripts/tool/main.go", "package main\n")
	r.git("rm", "-q", "scripts/gone")
	if got, want := r.lines("changed_scripts"), "scripts/edited scripts/new"; got != want {
		t.Errorf("changed scripts: %s, want %s", got, want)
	}
	r.write("scripts/lib/all.sh", "false\n")
	if got, want := r.lines("changed_scripts"), ".ci/run scripts/lib/apt-quietly scripts/edited scripts/new scripts/same"; got != want {
		t.Errorf("where all is sourced from: %s, want %s", got, want)
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
