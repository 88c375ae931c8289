package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// nothing fails the test if a run printed something on either output.
func (r result) nothing(t *testing.T, code int) {
	t.Helper()
	if r.code != code || r.out != "" || r.err != "" {
		t.Errorf("exit code %d, want %d\nout: %s\nerr: %s", r.code, code, r.out, r.err)
	}
}

// TestQuiet checks that a command that succeeds prints nothing, and that errors, questions and the data that were asked for
// stay.
func TestQuiet(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.bar, d.width = true, 80 // a terminal, on which the bar would be drawn
	good, bad := d.file(t, "bon.pdf", pdf("réussit")), d.file(t, "mauvais.pdf", pdf("échoue"))

	d.run(t, "add", "--quiet", good).nothing(t, exitDone)
	d.run(t, "migrate", "up", "-q").nothing(t, exitDone)
	d.run(t, "-q", "reindex", "--passages").nothing(t, exitDone)
	d.run(t, "documents", "set", "-q", d.listed(t, "bon.pdf"), "statut=abroge").nothing(t, exitDone)

	d.run(t, "add", "-q", good, bad).want(t, exitFailed, "mauvais.pdf", "échec")
	if r := d.run(t, "documents", "show", "-q", "ffffffff"); r.code == exitDone || r.out != "" || r.err == "" {
		t.Errorf("the error of a quiet command: %+v", r)
	}
	d.run(t, "status", "-q", "--json").want(t, exitDone, `"items"`)

	rows := items[struct{ ID, Filename string }](t, d.run(t, "status", "-q", "--json"))
	id := rows[slices.IndexFunc(rows, func(row struct{ ID, Filename string }) bool { return strings.HasSuffix(row.Filename, "bon.pdf") })].ID
	asked := d.runWith(t.Context(), "non\n", nil, "gazette", "delete", "-q", id)
	if asked.code == exitDone || !strings.Contains(asked.err, "Tapez « oui » pour confirmer") {
		t.Errorf("the question of a quiet command: %+v", asked)
	}
	d.run(t, "gazette", "delete", "-q", "--yes", id).nothing(t, exitDone)
}

// TestQuietDoctor checks that a quiet doctor prints only what needs something.
func TestQuietDoctor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.environ["VIGUEUR_BLOBS_URL"] += "/absent"
	r := d.run(t, "doctor", "-q")
	r.want(t, exitFailed, "  échec ", "n’existe pas", "→")
	for _, state := range []string{"  ok ", "  non vu "} {
		if strings.Contains(r.out, state) {
			t.Errorf("a quiet doctor prints %q:\n%s", state, r.out)
		}
	}
}

// TestLogFile checks that the log has what two commands said, each line behind its time, and how each ended.
func TestLogFile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.bar, d.width = true, 80
	path := filepath.Join(t.TempDir(), "ingest.log")
	good := d.file(t, "bon.pdf", pdf("réussit"))

	d.run(t, "add", "--log-file", path, good).want(t, exitDone, "1 fichier (terminé : 1)")
	d.run(t, "documents", "show", "-q", "--log-file", path, "ffffffff").want(t, exitFailed, "")
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	said := string(written)
	line := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S`)
	for l := range strings.Lines(said) {
		if !line.MatchString(l) || strings.Contains(l, "\x1b") {
			t.Errorf("the line %q", l)
		}
	}
	for _, words := range []string{
		"ingest add, processus ", "1 fichier (terminé : 1)", "fin, code 0, ", "ingest documents show, processus ", "ffffffff", "fin, code 1, ",
	} {
		if strings.Count(said, words) != 1 {
			t.Errorf("%q is there %d times, want 1:\n%s", words, strings.Count(said, words), said)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log can be read by others: %v, %v", info, err)
	}
}

// TestLogFileThatCannotBeWritten checks that a command does not begin without its log, and that it does its work if the disk
// is full later.
func TestLogFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	good := d.file(t, "bon.pdf", pdf("réussit"))
	r := d.run(t, "add", "--log-file", filepath.Join(t.TempDir(), "absent", "ingest.log"), good)
	r.want(t, exitUsage, "Le journal « ", "ne peut pas être ouvert : introuvable.")
	d.run(t, "status", "--json").want(t, exitDone, `"total": 0`)
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	d.run(t, "add", "--log-file", "/dev/full", good).want(t, exitDone, "1 fichier (terminé : 1)", "Le journal « /dev/full » est incomplet : plus de place.")
}

// TestLogLines checks that a line is written once it is complete, and the last one at the end.
func TestLogLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	l := &logFile{file: file, now: func() time.Time { return time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC) }}
	for _, p := range []string{"une ", "ligne\n\n  deux\ntr", "ois"} {
		if n, err := l.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	const stamp = "2024-05-06T07:08:09.000Z "
	if got, want := read(t, path), stamp+"une ligne\n"+stamp+"deux\n"+stamp+"trois\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := l.close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a second close: %v", err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
