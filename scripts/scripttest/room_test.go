package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheDiskNeedsRoom: where the disk is short of room, what nothing has used for two hours leaves Go's build cache;
// where that is not enough, the script ends and says how much is missing and how to get it.
func TestTheDiskNeedsRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, fresh := write("cache/go/00/old-d", "compiled", 0o600), write("cache/go/00/fresh-d", "compiled", 0o600)
	// A disk with 100 MiB left, and with 5,000 once the old file is gone.
	write("bin/df", "#!/bin/sh\necho Avail\nif [ -e '"+old+"' ]; then echo 100M; else echo 5000M; fi\n", 0o700)
	need := func(room string) (string, error) {
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", `. "$0"; need_go; need_room "$1"; echo enough`, absolute(t, "../lib/all.sh"), room)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "GOCACHE="+filepath.Join(dir, "cache/go"), "TMPDIR="+dir)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-3*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if said, err := need("50"); err != nil || strings.TrimSpace(said) != "enough" {
		t.Fatalf("with room: %v, %s", err, said)
	}
	if _, err := os.Stat(old); err != nil {
		t.Fatal("with room, the cache lost a file")
	}
	if said, err := need("4000"); err != nil || !strings.Contains(said, "dropping") {
		t.Fatalf("short of room: %v, %s", err, said)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("what nothing used is still there")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("what was just used is gone")
	}
	said, err := need("6000")
	if err == nil || !strings.Contains(said, "need 6000 MiB") || !strings.Contains(said, "5000 left") || !strings.Contains(said, "go clean -cache") {
		t.Errorf("without room: %v, %s", err, said)
	}
}
