package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhichPackagesAreWatchedForRaces checks that a package is tested with the race detector as soon as its code or its
// tests start goroutines or hold locks.
func TestWhichPackagesAreWatchedForRaces(t *testing.T) {
	t.Parallel()
	dir, detector := t.TempDir(), absolute(t, "../lib/detector.sh")
	for name, text := range map[string]string{
		"go.mod":                 "module m\n\ngo 1.26\n",
		"pure/a.go":              "package pure\n\nimport \"sync\"\n\nvar A = sync.OnceValue(func() int { return 1 }) // where others go to\n",
		"pure/a_test.go":         "package pure\n",
		"starts/a.go":            "package starts\n\nfunc a() {\n\tgo func() {}()\n}\n",
		"starts/a_test.go":       "package starts\n",
		"calls/a.go":             "package calls\n\nfunc a(b struct{ c func() }) {\n\tgo b.c()\n}\n",
		"calls/a_test.go":        "package calls\n",
		"locks/a.go":             "package locks\n\nimport \"sync\"\n\nvar A sync.Mutex\n",
		"locks/a_test.go":        "package locks_test\n",
		"sends/a.go":             "package sends\n\nvar A chan int\n",
		"sends/a_test.go":        "package sends\n",
		"tested/a.go":            "package tested\n",
		"tested/a_test.go":       "package tested\n\nimport \"sync\"\n\nvar a sync.WaitGroup\n",
		"untested/a.go":          "package untested\n\nvar A chan int\n",
		"e2e/a_test.go":          "package e2e\n\nvar A chan int\n",
		"broken/a_test.go":       "package broken\n\nthis is no Go\n",
		"pure/deeper/a.go":       "package deeper\n\nvar A = new(int) // go on\n",
		"locks/deeper/a.go":      "package deeper\n\nimport _ \"sync/atomic\"\n",
		"locks/deeper/a_test.go": "package deeper\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", `. "$0"; root=$1; sort_packages ./...; echo "${raced[*]}|${unraced[*]}"`, detector, dir)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = "./calls ./locks ./locks/deeper ./sends ./starts ./tested|./broken ./e2e ./pure ./pure/deeper ./untested"
	if got := strings.TrimSpace(string(out)); got != want {
		t.Errorf("with|without: %s, want %s", got, want)
	}
}
