package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// TestPointInTimeAsDocumented goes back to a moment by the settings and the commands of docs/operating/backup.md, as they are there:
// what was before it is there, what came after is not, and the service works on.
func TestPointInTimeAsDocumented(t *testing.T) {
	t.Parallel()
	server, err := stage.NewCluster(t.Context(), t.TempDir())
	if errors.Is(err, stage.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	doc := readRecovery(t)
	archive, restored := filepath.Join(server.Dir, "archive"), filepath.Join(server.Dir, "restored")
	shell := func(script string) {
		t.Helper()
		if out, err := server.Shell(t.Context(), script); err != nil {
			t.Fatalf("%s\n%v\n%s", script, err, out)
		}
	}
	shell("mkdir -p " + archive + "/wal && mkdir -m 0700 -p " + restored + "/data")
	shell("cat >>" + server.Dir + "/data/postgresql.conf <<'END'\n" + doc.settings(archive) + "\nEND")
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The stage drops its database when it closes, so the server that runs then is stopped after it.
	running := server
	t.Cleanup(func() { running.Stop() })
	s, err := stage.OpenOn(t.Context(), server.URL())
	s = opened(t, s, err)
	createUser(t, s, "backup")
	shell(doc.base(archive))
	createUser(t, s, "before")
	var moment string
	query(t, s, `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`, &moment)
	createUser(t, s, "after")
	archived(t, s)

	server.Stop()
	shell(doc.back(archive, filepath.Join(restored, "data"), moment))
	running = server.On(restored)
	if err := running.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, "the server is promoted", func() bool {
		var recovering bool
		query(t, s, `SELECT pg_is_in_recovery()`, &recovering)
		return !recovering
	})
	var users string
	query(t, s, `SELECT string_agg(split_part(email, '@', 1), ' ' ORDER BY email) FROM users WHERE email LIKE '%@recovery.example'`, &users)
	if users != "backup before" {
		t.Errorf("after going back there are « %s », want those before the moment", users)
	}
	createUser(t, s, "since")
}

// recovery is the section « Point in time »: its commands, block by block.
type recovery struct{ blocks []string }

func readRecovery(t *testing.T) recovery {
	t.Helper()
	text, err := os.ReadFile("../docs/operating/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Point in time\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var r recovery
	inside := false
	for line := range strings.Lines(section) {
		code, indented := strings.CutPrefix(line, "    ")
		if indented && !inside {
			r.blocks = append(r.blocks, "")
		}
		if inside = indented; indented {
			r.blocks[len(r.blocks)-1] += code
		}
	}
	if !found || len(r.blocks) != 3 || !strings.Contains(r.blocks[1], "pg_basebackup") || !strings.Contains(r.blocks[2], "recovery.signal") {
		t.Fatalf("docs/operating/backup.md, « Point in time » has no longer settings, the base backup and the way back: %q", r.blocks)
	}
	return r
}

// settings are the lines for postgresql.conf.
func (r recovery) settings(archive string) string {
	return strings.ReplaceAll(r.blocks[0], "/archive/", archive+"/")
}

// baseDay is the day of the base backup, as the two blocks have it.
var baseDay = regexp.MustCompile(`base-(\$\(date \+%F\)|\d{4}-\d\d-\d\d)`)

// base is the nightly backup.
func (r recovery) base(archive string) string {
	return baseDay.ReplaceAllString(strings.ReplaceAll(r.blocks[1], "/archive/", archive+"/"), "base-day")
}

// back is the way back to a moment, in an empty folder.
func (r recovery) back(archive, folder, moment string) string {
	script := strings.ReplaceAll(r.blocks[2], "/var/lib/postgresql/15/new", folder)
	script = baseDay.ReplaceAllString(strings.ReplaceAll(script, "/archive/", archive+"/"), "base-day")
	return regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00`).ReplaceAllString(script, moment)
}

func createUser(t *testing.T, s *stage.Stage, name string) {
	t.Helper()
	out, code := s.Ingest(t.Context(), "un mot de passe assez long 7\n", "user", "create",
		"--email", name+"@recovery.example", "--name", name, "--password-stdin")
	if code != 0 {
		t.Fatalf("ingest user create: exit %d: %s", code, out)
	}
}

func query(t *testing.T, s *stage.Stage, sql string, into any) {
	t.Helper()
	if err := s.Query(t.Context(), sql, into); err != nil {
		t.Fatal(err)
	}
}

// archived waits until all that was written lies in the archive.
func archived(t *testing.T, s *stage.Stage) {
	t.Helper()
	var segment string
	query(t, s, `SELECT pg_walfile_name(pg_switch_wal())`, &segment)
	until(t, segment+" is archived", func() bool {
		var done bool
		query(t, s, `SELECT coalesce(last_archived_wal, '') >= '`+segment+`' FROM pg_stat_archiver`, &done)
		return done
	})
}

// until asks every 20 ms whether something is so, for two minutes.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(2 * time.Minute); !is(); {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatal("not so after two minutes: " + what)
		}
	}
}
