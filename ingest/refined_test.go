package main

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/web/httpapi/gazettes"
)

func TestReadableNow(t *testing.T) {
	t.Parallel()
	for left, want := range map[time.Duration]string{
		0: "une minute", 30 * time.Second: "une minute", time.Minute: "une minute", 61 * time.Second: "2 minutes",
		12 * time.Minute: "12 minutes", 2 * time.Hour: "120 minutes", 2*time.Hour + time.Second: "3 heures", 26 * time.Hour: "26 heures",
	} {
		if got := readableNow(int64(left.Seconds())); got != "lisible dès maintenant, plus précis dans "+want {
			t.Errorf("%v: %s", left, got)
		}
	}
}

// TestStatusSaysWhenTextsAreRefined checks that the time is told while a worker is at the
// vectors, and not when the time is unknown.
func TestStatusSaysWhenTextsAreRefined(t *testing.T) {
	d := newDesk(t)
	d.catalogue(t, "a1", said("Loi n° 2001-1 portant essai", "2001-1", "2001-01-01", "Le préavis est de trois mois."))
	id := items[gazettes.IngestionBody](t, d.run(t, "status", "--json"))[0].ID.String()
	quiet := func(moment string) {
		t.Helper()
		for _, args := range [][]string{{"status"}, {"status", id}} {
			if r := d.run(t, args...); r.code != exitDone || strings.Contains(r.out, "lisible") {
				t.Errorf("%s: %q", moment, r.out)
			}
		}
		if v := items[gazettes.IngestionBody](t, d.run(t, "status", "--json"))[0]; v.RefinedIn != nil {
			t.Errorf("%s: in %d seconds", moment, *v.RefinedIn)
		}
	}
	quiet("no vectors are computed")
	d.sql(t, `INSERT INTO generations (id, model, chunking, dimensions, fingerprint, probe, role, state, attempt, lease_until, pace)
		VALUES (gen_random_uuid(), 'm', 'c', 1, 'f', '', 'sentences', 'running', 1, now() + interval '1 hour', 0.01)`)
	d.run(t, "status").want(t, exitDone, "1 fichier : lisible dès maintenant, plus précis dans 2 minutes.")
	d.run(t, "status", id).want(t, exitDone, "terminé, lisible dès maintenant, plus précis dans 2 minutes")
	if v := items[gazettes.IngestionBody](t, d.run(t, "status", "--json"))[0]; v.RefinedIn == nil || *v.RefinedIn < 99 || *v.RefinedIn > 100 {
		t.Errorf("in %v", v.RefinedIn)
	}
	d.sql(t, `UPDATE generations SET pace = 0`)
	quiet("the pace is not known")
	d.sql(t, `UPDATE generations SET pace = 1, lease_until = now() - interval '1 second'`)
	quiet("the worker has gone")
}
