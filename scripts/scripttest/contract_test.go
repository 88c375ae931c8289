package scripttest

import (
	"os/exec"
	"strings"
	"testing"
)

// TestContractWithoutItsProgramIsSkipped is that a check of which every test would be skipped says so, and does not pass.
func TestContractWithoutItsProgramIsSkipped(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", `root=/nowhere state=$1; attend() { echo tests run; }; . "$0"; check_contract`, absolute(t, "../lib/checks.sh"), t.TempDir())
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 77 || !strings.Contains(string(out), "schemathesis is not installed") {
		t.Errorf("exit %d, want 77: %s, %v", cmd.ProcessState.ExitCode(), out, err)
	}
}
