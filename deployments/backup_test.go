package deployments

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBackupUnits holds the sample of nightly backups against systemd.
func TestBackupUnits(t *testing.T) {
	t.Parallel()
	unit := read(t, "backup/vigueur-backup.service")
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed: Debian's systemd has it")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		// The program is not installed here.
		"vigueur-backup.service": strings.ReplaceAll(unit, "/usr/lib/vigueur/vigueur-backup save", "/bin/true"),
		"vigueur-backup.timer":   read(t, "backup/vigueur-backup.timer"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", filepath.Join(dir, "vigueur-backup.timer"), filepath.Join(dir, "vigueur-backup.service")).CombinedOutput()
	if err != nil || strings.Contains(string(said), "vigueur-backup") {
		t.Errorf("systemd reads the units with: %v\n%s", err, said)
	}
}
