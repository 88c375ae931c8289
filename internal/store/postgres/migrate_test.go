package postgres_test

import (
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestASchemaThatIsBehindIsTold(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	if err := db.CheckUpToDate(t.Context()); err != nil {
		t.Errorf("a schema that was just made: %v", err)
	}
	if err := db.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckUpToDate(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a schema that lacks its last step: %v", err)
	}
	if err := db.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckUpToDate(t.Context()); err != nil {
		t.Errorf("a schema that is ahead: %v", err)
	}
}

// A database of a program from before the baseline is refused, and is left as it is.
func TestDatabasesFromBeforeTheBaselineAreRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, `UPDATE goose_db_version SET version_id = 291 WHERE version_id > 0`)
	if done, err := postgres.Migrate(t.Context(), url, nil); !errs.Is(err, errs.Conflict) || len(done) > 0 {
		t.Errorf("%v, %v", done, err)
	}
}
