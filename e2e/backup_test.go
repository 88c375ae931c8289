package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBackupRehearsal makes backups of a running service with the script that operators use, and restores the newest into
// an empty database and an empty folder: there everything agrees, and a second restore is refused.
func TestBackupRehearsal(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"restic", "pg_dump", "psql"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed: scripts/setup installs it")
		}
	}
	script, err := filepath.Abs("../deployments/backup/vigueur-backup")
	if err != nil {
		t.Fatal(err)
	}
	s := open(t)
	if err := s.IngestSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir, database := t.TempDir(), s.DatabaseURL()
	run := func(c *exec.Cmd, settings ...string) (string, error) {
		command := s.Command(t.Context())
		c.Env = slices.Concat(command.Env, []string{"TMPDIR=" + dir, "INGEST=" + command.Path,
			"RESTIC_REPOSITORY=" + filepath.Join(dir, "repository"), "RESTIC_PASSWORD=un-mot-de-passe", "BACKUP_KEEP=--keep-last 2"}, settings)
		said, err := c.CombinedOutput()
		return string(said), err
	}
	must := func(want string, c *exec.Cmd, settings ...string) {
		t.Helper()
		if said, err := run(c, settings...); err != nil || !strings.Contains(said, want) {
			t.Fatalf("%q: %v, want %q in\n%s", c.Args, err, want, said)
		}
	}
	backup := func(words ...string) *exec.Cmd { return exec.CommandContext(t.Context(), script, words...) }
	for range 3 {
		must("", backup("save"))
	}
	must("2 snapshots", backup("list"))
	must("no errors were found", backup("check"))

	const other = "vigueur_rehearsal"
	psql := func(sql string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "psql", strings.SplitN(database, "?", 2)[0], "-c", sql)
	}
	name := other + "_" + filepath.Base(filepath.Dir(dir))
	name = strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	must("CREATE DATABASE", psql("CREATE DATABASE "+name))
	t.Cleanup(func() { // without FORCE, which may not end a worker of autovacuum; PostgreSQL waits for such a one by itself
		c := exec.Command("psql", strings.SplitN(database, "?", 2)[0], "-c", "DROP DATABASE "+name)
		if said, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
		}
	})
	address, query, _ := strings.Cut(database, "?")
	elsewhere := []string{"VIGUEUR_DATABASE_URL=" + address[:strings.LastIndexByte(address, '/')+1] + name + "?" + query, "VIGUEUR_BLOBS_URL=file://" + filepath.Join(dir, "files")}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	must("", backup("restore"), elsewhere...)
	must("Tout concorde", s.Command(t.Context(), "reconcile"), elsewhere...)
	if said, err := run(backup("restore"), elsewhere...); err == nil || !strings.Contains(said, "is not empty") {
		t.Errorf("a second restore: %v\n%s", err, said)
	}
}
