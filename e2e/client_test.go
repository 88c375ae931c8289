package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// TestExampleOfTheClientAsks checks that the example of the Go client reads a streamed answer
// with its citations from the real service, and says why it is refused.
func TestExampleOfTheClientAsks(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "ask")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./clients/go/example/ask")
	build.Dir = stage.Root()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	holdExample(t, program, "-server")
}

// TestExampleOfTheTypeScriptClientAsks checks the same of the TypeScript client, compiled as
// its package is.
func TestExampleOfTheTypeScriptClientAsks(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	libraries := filepath.Join(stage.Root(), "api", "web", "node_modules")
	if _, missing := os.Stat(filepath.Join(libraries, "openapi-fetch")); err != nil || missing != nil {
		t.Skip("node or the packages of the page are not installed: scripts/setup")
	}
	client, use := filepath.Join(stage.Root(), "clients", "ts"), t.TempDir()
	installed := filepath.Join(use, "node_modules", "vigueur-client")
	if err := os.MkdirAll(filepath.Join(installed, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"package.json": installed, "tsconfig.json": installed, "src/index.ts": installed + "/src", "src/schema.ts": installed + "/src", "example/ask.mjs": use} {
		data, err := os.ReadFile(filepath.Join(client, from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(from)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, library := range []string{"openapi-fetch", "openapi-typescript-helpers", "eventsource-parser"} {
		if err := os.Symlink(filepath.Join(libraries, library), filepath.Join(use, "node_modules", library)); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), node, filepath.Join(libraries, "typescript", "bin", "tsc"), "--project", installed)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	holdExample(t, node, filepath.Join(use, "ask.mjs"))
}

// holdExample runs a client's example, a command that takes an address and a question, against
// the real service.
func holdExample(t *testing.T, program string, before ...string) {
	t.Helper()
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	ask := func(token string) (string, string, error) {
		var out, failed bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program, append(before, api.URL, wording)...)
		cmd.Env = append(os.Environ(), "VIGUEUR_TOKEN="+token)
		cmd.Stdout, cmd.Stderr = &out, &failed
		err := cmd.Run()
		return out.String(), failed.String(), err
	}
	out, failed, err := ask(signIn(t, s, api).Token)
	if err != nil || !strings.Contains(out, "Code du travail") || !strings.Contains(out, "\n[1] ") {
		t.Errorf("%v: %q, %q", err, out, failed)
	}
	if out, failed, err := ask("faux"); err == nil || strings.TrimSpace(failed) == "" || strings.Contains(failed, "\n    at ") || out != "" {
		t.Errorf("with a wrong token %v: %q, %q", err, out, failed)
	}
}
