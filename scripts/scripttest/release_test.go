package scripttest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
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

// TestTheCommandIsOfferedToPackageManagers holds that formula and manifest name the files of the release with their hashes.
func TestTheCommandIsOfferedToPackageManagers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sums := map[string]string{}
	for _, name := range []string{"darwin-arm64.tar.gz", "darwin-amd64.tar.gz", "linux-arm64.tar.gz", "linux-amd64.tar.gz", "windows-amd64.exe"} {
		if err := os.WriteFile(filepath.Join(dir, "vigueur-command-1.2.0-"+name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		sums[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", `. "$0"; make_formula "$1" 1.2.0 https://droit.example/v1; make_winget "$1" 1.2.0 https://droit.example/v1`,
		absolute(t, "../lib/release.sh"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	formula, err := os.ReadFile(filepath.Join(dir, "vigueur.rb"))
	if err != nil {
		t.Fatal(err)
	}
	for name, sum := range sums {
		if strings.HasSuffix(name, ".exe") {
			continue
		}
		if want := "      url \"https://droit.example/v1/vigueur-command-1.2.0-" + name + "\"\n      sha256 \"" + sum + "\"\n    end\n"; strings.Count(string(formula), want) != 1 {
			t.Errorf("not once in the formula: %s\n%s", want, formula)
		}
	}
	if blocks, ends := regexp.MustCompile(`(?m)(^class | do$|^ *def )`).FindAll(formula, -1), regexp.MustCompile(`(?m)^ *end$`).FindAll(formula, -1); len(blocks) != len(ends) {
		t.Errorf("%d blocks and %d ends:\n%s", len(blocks), len(ends), formula)
	}
	for _, kind := range []string{"", ".installer", ".locale.fr-FR"} {
		raw, err := os.ReadFile(filepath.Join(dir, "winget", "Vigueur.Vigueur"+kind+".yaml"))
		var told map[string]any
		if err == nil {
			err = yaml.Unmarshal(raw, &told)
		}
		if err != nil || told["PackageVersion"] != "1.2.0" || told["ManifestType"] == nil {
			t.Errorf("%s: %v, %s", kind, err, raw)
		}
		if kind == ".installer" && !strings.Contains(string(raw), strings.ToUpper(sums["windows-amd64.exe"])) {
			t.Errorf("not the hash: %s", raw)
		}
	}
}
