package main

import (
	"slices"
	"strings"
	"testing"
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
