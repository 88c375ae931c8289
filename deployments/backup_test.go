package deployments

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBackupUnits holds the sample of nightly backups against systemd and the command.
func TestBackupUnits(t *testing.T) {
	t.Parallel()
	unit, settings := read(t, "backup/vigueur-backup.service"), read(t, "backup/backup.env")
	help := read(t, "../ingest/testdata/help.golden")
	options := regexp.MustCompile(`--[a-z-]+`).FindAllString(settings, -1)
	if len(options) < 3 {
		t.Errorf("options %v", options)
	}
	for _, o := range options {
		if !strings.Contains(help, "      "+o+" ") {
			t.Errorf("ingest has no option %s", o)
		}
	}
	used := regexp.MustCompile(`\$\{?([A-Z]+)`).FindAllStringSubmatch(unit, -1)
	if len(used) < 3 {
		t.Errorf("variables %v", used)
	}
	for _, name := range used {
		if !regexp.MustCompile(`(?m)^(# )?` + name[1] + `=`).MatchString(settings) {
			t.Errorf("backup.env does not have %s", name[1])
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed: Debian's systemd has it")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		// The program is not installed here.
		"vigueur-backup.service": strings.ReplaceAll(unit, "/usr/lib/vigueur/ingest", "/bin/true"),
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
