package postgres_test

import (
	"net/url"
	"slices"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// examine connects as the service does and examines the database at url.
func examine(t *testing.T, url string) (postgres.Examined, error) {
	t.Helper()
	db, err := postgres.Open(t.Context(), url)
	if err != nil {
		return postgres.Examined{}, err
	}
	defer db.Close()
	return db.Examine(t.Context())
}

func TestExamineTellsWhatIsThere(t *testing.T) {
	t.Parallel()
	address := pgtest.NewURL(t)
	e, err := examine(t, address)
	ok(t, err)
	if !e.Made || e.Schema == 0 || e.Schema != e.Newest || e.Version < 140000 || e.Encoding != "UTF8" || e.Replica || e.MaxConns < 1 || e.Conns < 1 {
		t.Errorf("examined %+v", e)
	}
	if !e.Owner || !slices.Equal(e.Open, []string{"audit"}) || len(e.Denied)+len(e.Invalid)+len(e.Unread) > 0 || e.NoPartition {
		t.Errorf("the owner is seen as %+v", e)
	}
	db, err := postgres.Open(t.Context(), address)
	ok(t, err)
	defer db.Close()
	ok(t, db.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id = $1`, e.Newest))
	ok(t, db.Exec(t.Context(), `DO $$ BEGIN EXECUTE 'DROP TABLE audit_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM'); END $$`))
	ok(t, db.Exec(t.Context(), `DROP TABLE ingestions CASCADE`))
	e, err = examine(t, address)
	ok(t, err)
	if e.Schema >= e.Newest || !e.NoPartition || !slices.Equal(e.Denied, []string{"ingestions"}) {
		t.Errorf("of what is gone is told %+v", e)
	}
}

func TestExamineOfDatabasesThatCannotServe(t *testing.T) {
	t.Parallel()
	empty := pgtest.NewEmptyURL(t)
	e, err := examine(t, empty)
	ok(t, err)
	if e.Made || e.Newest == 0 || e.Database == "" {
		t.Errorf("an empty database is seen as %+v", e)
	}
	u, err := url.Parse(empty)
	ok(t, err)
	u.Path = "/vigueur_test_there_is_none"
	if _, err := examine(t, u.String()); !postgres.Rejected(err) {
		t.Errorf("a database that is not there: %v", err)
	}
	if _, err := examine(t, "postgres://x:tresor@127.0.0.1:1/x"); !errs.Is(err, errs.Unavailable) || postgres.Rejected(err) {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestExamineTellsTheRolesApart(t *testing.T) {
	t.Parallel()
	owner, service := roleURLs(t)
	_, err := postgres.GrantRole(t.Context(), owner, service)
	ok(t, err)
	e, err := examine(t, service)
	ok(t, err)
	if e.Owner || e.Super || len(e.Denied)+len(e.Open) > 0 || e.Schema != e.Newest || e.Role == "" {
		t.Errorf("the service is seen as %+v", e)
	}
}
