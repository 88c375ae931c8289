package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestImagesArePinned pins what files name to the digests that a stand-in of crane tells.
func TestImagesArePinned(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if out, err := exec.Command("cp", "-r", absolute(t, ".."), absolute(t, "../../go.mod"), root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const (
		old = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
		now = "sha256:1111111111111111111111111111111111111111111111111111111111111111"
	)
	write("bin/crane", "#!/bin/sh\n[ \"$2\" != gone/one:1 ] || { echo no such image >&2; exit 1; }\necho "+now+"\n")
	write("deployments/Dockerfile", "# syntax=docker/dockerfile:1\nFROM golang:1.26 AS build\nFROM build AS api\n")
	write("deployments/helm/vigueur/values.yaml", "a:\n  image: redis:7@"+old+"\n")
	compose := "x:\n  image: redis:7\n  image: vigueur-api\n  image: vigueur-api:1\n  image: prom/prometheus:v3.5.0@" + now + "\n"
	write("deployments/compose.yaml", compose)
	pin := func(arguments ...string) (string, int) {
		t.Helper()
		cmd := exec.Command(filepath.Join(root, "scripts", "pin"), arguments...)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(root, "bin")+":"+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if said, code := pin("--check"); code != 1 || read("deployments/compose.yaml") != compose || !strings.Contains(said, "redis:7@"+old+", now redis:7@"+now) || strings.Contains(said, "prometheus") {
		t.Errorf("--check: %d %s", code, said)
	}
	if said, code := pin(); code != 0 {
		t.Fatalf("pin: %d %s", code, said)
	}
	for path, want := range map[string]string{
		"deployments/Dockerfile":               "# syntax=docker/dockerfile:1@" + now + "\nFROM golang:1.26@" + now + " AS build\nFROM build AS api\n",
		"deployments/helm/vigueur/values.yaml": "a:\n  image: redis:7@" + now + "\n",
		"deployments/compose.yaml":             "x:\n  image: redis:7@" + now + "\n  image: vigueur-api\n  image: vigueur-api:1\n  image: prom/prometheus:v3.5.0@" + now + "\n",
	} {
		if got := read(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if said, code := pin("--check"); code != 0 {
		t.Errorf("--check of what is pinned: %d %s", code, said)
	}
	broken := "x:\n  image: gone/one:1\n  image: redis:8\n"
	write("deployments/compose.yaml", broken)
	if said, code := pin(); code == 0 || read("deployments/compose.yaml") != broken || !strings.Contains(said, "gone/one:1") {
		t.Errorf("one that cannot be had: %d %s", code, said)
	}
}
