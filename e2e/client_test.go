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
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	ask := func(token string) (string, string, error) {
		var out, failed bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program, "-server", api.URL, wording)
		cmd.Env = append(os.Environ(), "VIGUEUR_TOKEN="+token)
		cmd.Stdout, cmd.Stderr = &out, &failed
		err := cmd.Run()
		return out.String(), failed.String(), err
	}
	out, failed, err := ask(signIn(t, s, api).Token)
	if err != nil || !strings.Contains(out, "Code du travail") || !strings.Contains(out, "\n[1] ") {
		t.Errorf("%v: %q, %q", err, out, failed)
	}
	if out, failed, err := ask("faux"); err == nil || !strings.HasPrefix(failed, "HTTP 401: ") || out != "" {
		t.Errorf("with a wrong token %v: %q, %q", err, out, failed)
	}
}
