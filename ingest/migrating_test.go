package main

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// A line is printed when each step begins, and every five seconds for texts.
func TestMigratingIsToldOf(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	clock := time.Unix(0, 0)
	m := migrating{w: &out, now: func() time.Time { return clock }}
	for _, p := range []struct {
		after time.Duration
		postgres.Migrating
	}{
		{0, postgres.Migrating{Step: "00001_first.sql", Number: 1, Of: 2}},
		{time.Millisecond, postgres.Migrating{Step: "00002_second.sql", Number: 2, Of: 2}},
		{0, postgres.Migrating{Step: postgres.PreparesSearch, Number: 0, Of: 2000}},
		{4 * time.Second, postgres.Migrating{Step: postgres.PreparesSearch, Number: 800, Of: 2000}},
		{time.Second, postgres.Migrating{Step: postgres.PreparesSearch, Number: 1000, Of: 2000}},
		{time.Second, postgres.Migrating{Step: postgres.PreparesSearch, Number: 1200, Of: 2000}},
		{0, postgres.Migrating{Step: postgres.PreparesSearch, Number: 2000, Of: 2000}},
		{0, postgres.Migrating{Step: postgres.PreparesNames, Number: 0, Of: 5}},
		{0, postgres.Migrating{Step: postgres.PreparesNames, Number: 5, Of: 5}},
	} {
		clock = clock.Add(p.after)
		m.show(p.Migrating)
	}
	want := `étape 1 sur 2 : 00001_first.sql
étape 2 sur 2 : 00002_second.sql
recherche par mots : 0 textes prêts sur 2000
recherche par mots : 1000 textes prêts sur 2000
recherche par mots : 2000 textes prêts sur 2000
noms des textes : 0 prêts sur 5
noms des textes : 5 prêts sur 5
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

// The steps for an empty database are printed on the standard error. For a database that is up to date, nothing is
// printed there.
func TestMigrateUpTellsOfItsSteps(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if r := d.run(t, "migrate", "up"); r.err != "" {
		t.Errorf("nothing to do is told of: %s", r.err)
	}
	d.environ["VIGUEUR_DATABASE_URL"] = pgtest.NewEmptyURL(t)
	r := d.run(t, "migrate", "up", "--json")
	steps := items[step](t, r)
	told := strings.Split(strings.TrimSpace(r.err), "\n")
	if len(steps) == 0 || len(told) != len(steps) {
		t.Fatalf("%d steps, %d lines: %s", len(steps), len(told), r.err)
	}
	if last := told[len(told)-1]; !strings.HasPrefix(told[0], "étape 1 sur ") || !strings.HasSuffix(last, ": "+steps[len(steps)-1].Name) {
		t.Errorf("%s … %s", told[0], last)
	}
}
