package main

import (
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// A server with an outdated schema is not ready, although PostgreSQL responds.
func TestASchemaThatIsBehindUnroutesTheServer(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	down := func() (names []string) {
		for _, c := range requiredChecks(db, nil, nil, nil) {
			if c.Name == "redis" { // this test has no Redis
				continue
			}
			if err := c.Ping(t.Context()); errs.Is(err, errs.Unavailable) && c.Required {
				names = append(names, c.Name)
			} else if err != nil {
				t.Errorf("%s: %v, required %v", c.Name, err, c.Required)
			}
		}
		return names
	}
	if names := down(); len(names) > 0 {
		t.Errorf("of a server whose stores are as they should be %v are down", names)
	}
	pgtest.Exec(t, url, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	if names := down(); len(names) != 1 || names[0] != "schema" {
		t.Errorf("of a server whose schema is behind %v are down, not its schema alone", names)
	}
}
