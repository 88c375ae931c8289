package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyWhatIsCommittedAndToldIsReleased asks of a small repository whether it may be released: each refusal says what
// is wrong, and what is new of the version is taken from the changelog whole.
func TestOnlyWhatIsCommittedAndToldIsReleased(t *testing.T) {
	t.Parallel()
	dir, lib := t.TempDir(), absolute(t, "../lib/release.sh")
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	git := func(args ...string) {
		t.Helper()
		if out, err := run("git", args...); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bash := func(script string) (string, error) {
		return run("bash", "-euo", "pipefail", "-c", `root=$1; fail() { echo "$*"; exit 1; }; . "$0"; `+script, lib, dir)
	}
	refused := func(version, how, because string) {
		t.Helper()
		said, err := bash("may_release " + version + " " + how)
		switch {
		case because == "" && err != nil:
			t.Errorf("%s %s is refused: %s", version, how, said)
		case because != "" && (err == nil || !strings.Contains(said, because)):
			t.Errorf("%s %s: %v, %q, want « %s »", version, how, err, said, because)
		}
	}
	git("init", "-q")
	write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-22\n\n### Added\n\n- A thing.\n\n- Another.\n\n## [1.1.0] - 2026-01-01\n\n- Old.\n\n## [1.0.0] - 2025-01-01\n")
	git("add", ".")
	git("commit", "-q", "-m", "a")
	for version, because := range map[string]string{"1.2.0": "", "1.2": "no version", "v1.2.0": "no version", "01.2.0": "no version", "1.2.0-": "no version",
		"1.3.0": "does not know 1.3.0", "1.2.0-rc.1": "does not know", "1.0.0": "says nothing of 1.0.0", "1x2.0": "no version"} {
		refused(version, "new", because)
	}
	refused("1.2.0", "again", "not what is checked out")
	write("other", "b")
	refused("1.2.0", "new", "not committed")
	git("add", ".")
	git("commit", "-q", "-m", "b")
	git("tag", "-a", "v1.2.0", "-m", "c")
	refused("1.2.0", "new", "released already")
	refused("1.2.0", "again", "")
	git("commit", "-q", "--allow-empty", "-m", "d")
	refused("1.2.0", "again", "not what is checked out")
	notes, err := bash(`release_notes 1.2.0 CHANGELOG.md`)
	if want := "### Added\n\n- A thing.\n\n- Another."; err != nil || notes != want {
		t.Errorf("%v, %q, want %q", err, notes, want)
	}
}

// TestAReleaseSaysItsVersion holds that the program of an archive that says another version, or none, ends the release.
func TestAReleaseSaysItsVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for says, refused := range map[string]bool{"echo vigueur 1.2.0, go1.26": false, "echo 'vigueur (inconnue), go1.26'": true, "echo vigueur 1.2.01, go1.26": true, "exit 1": true} {
		script := `fail() { echo "$*"; exit 1; }; . "$0"; cd "$1"; name=vigueur-1.2.0-linux-$(dpkg --print-architecture); mkdir -p "$state/libexec" "$name/bin"; ` +
			`printf '#!/bin/sh\n%s\n' "$2" >"$name/bin/ingest"; tar -czf "$name.tar.gz" "$name"; rm -r "$name"; says_version "$1" 1.2.0`
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", script, absolute(t, "../lib/release.sh"), t.TempDir(), says)
		cmd.Env = append(os.Environ(), "state="+dir)
		out, err := cmd.CombinedOutput()
		if (err != nil) != refused || refused && !strings.Contains(string(out), "not 1.2.0") {
			t.Errorf("« %s »: %v, %s", says, err, out)
		}
	}
}
