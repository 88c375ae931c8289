package postgres_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// roleURLs returns addresses of a new database for its owner and for the role of the service,
// which is deleted with the database.
func roleURLs(t *testing.T) (owner, service string) {
	t.Helper()
	id := strings.ReplaceAll(uuid.NewString(), "-", "")
	name := `service"` + id
	var server string
	t.Cleanup(func() { // after the database was dropped, because the role has privileges in it
		if server == "" {
			return
		}
		conn, err := pgx.Connect(context.Background(), server)
		ok(t, err)
		_, err = conn.Exec(context.Background(), `DROP ROLE IF EXISTS `+pgx.Identifier{name}.Sanitize())
		ok(t, err)
		ok(t, conn.Close(context.Background()))
	})
	owner = pgtest.NewURL(t)
	u, err := url.Parse(owner)
	ok(t, err)
	conn, err := pgx.Connect(t.Context(), owner)
	ok(t, err)
	defer func() { ok(t, conn.Close(context.Background())) }()
	var may bool
	ok(t, conn.QueryRow(t.Context(), `SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user`).Scan(&may))
	if !may {
		t.Skip("the role of the tests may not create roles: start the server of scripts/services anew, or ALTER ROLE … CREATEROLE")
	}
	elsewhere := *u
	elsewhere.Path = "/postgres"
	server = elsewhere.String()
	other := *u
	other.User = url.UserPassword(name, "un mot'de$passe:"+id)
	return owner, other.String()
}

// backsUpAsOwner checks that Examine knows that the service's role cannot dump the database and the owner's can.
func backsUpAsOwner(t *testing.T, owner, service string) {
	t.Helper()
	for url, want := range map[string]bool{owner: false, service: true} {
		e, err := examine(t, url)
		ok(t, err)
		if got := slices.Contains(e.Unread, "audit_later"); got != want || !want && len(e.Unread) > 0 {
			t.Errorf("%s may not read %q", e.Role, e.Unread)
		}
	}
}

func refusedTo(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	ok(t, err)
	defer func() { ok(t, conn.Close(context.Background())) }()
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), "42501") && !strings.Contains(err.Error(), "25006") {
			t.Errorf("%s: %v, want a refusal", sql, err)
		}
	}
}

func TestServiceRoleWorksAndCanUndoNothing(t *testing.T) {
	owner, service := roleURLs(t)
	for range 2 { // the second call changes nothing
		name, err := postgres.GrantRole(t.Context(), owner, service)
		ok(t, err)
		if !strings.HasPrefix(name, "service") || strings.Contains(name, "passe") {
			t.Errorf("role %s", name)
		}
	}
	db, err := postgres.Open(t.Context(), service)
	ok(t, err)
	defer db.Close()
	ok(t, db.CheckUpToDate(t.Context()))
	b := bundle{DB: db}
	b.user = b.addUser(t, "awa@exemple.org", "admin")
	old, by := text("Loi une", "2020-1", day("2020-01-01"), "1er"), text("Loi deux", "2024-1", day("2024-01-01"), "1er")
	by.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: by.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2020-1", Effective: by.Document.EntersInForce}}
	b.ingested(t, "a1", old)
	b.ingested(t, "b2", by)
	_, err = b.ChangeDocument(t.Context(), old.Document.ID, postgres.DocumentChange{Title: ptr("Loi première")}, postgres.StatusChange{})
	ok(t, err)
	_, _, err = b.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Et ?", Model: "extractif"})
	ok(t, err)
	_, err = b.DeleteDocument(t.Context(), by.Document.ID)
	ok(t, err)
	b.addUser(t, "lise@exemple.org", "admin")
	_, err = b.EraseUser(t.Context(), b.user.Email, true)
	ok(t, err)

	backsUpAsOwner(t, owner, service)
	var part string
	ok(t, b.QueryRow(t.Context(), `SELECT tableoid::regclass::text FROM audit LIMIT 1`).Scan(&part))
	refusedTo(t, service, `UPDATE audit SET action = 'x'`, `DELETE FROM audit`, `TRUNCATE audit`, `TRUNCATE `+part, `DELETE FROM `+part, `SELECT FROM `+part,
		`TRUNCATE users CASCADE`, `DROP TABLE `+part, `DROP TABLE users`, `ALTER TABLE audit DISABLE TRIGGER USER`, `ALTER TABLE audit DISABLE TRIGGER audit_append_only`,
		`CREATE TABLE mine (a int)`, `CREATE TEMP TABLE mine (a int)`, `CREATE SCHEMA mine`, `UPDATE goose_db_version SET version_id = 1`,
		`CREATE ROLE mine`, `SELECT audit_prepare(30)`, `COPY audit TO PROGRAM 'true'`, `SET session_replication_role = replica`)
}

func TestRolesAreRefusedThatGuardNothing(t *testing.T) {
	owner, service := roleURLs(t)
	name, err := postgres.GrantRole(t.Context(), owner, owner)
	if err != nil || name != "" {
		t.Errorf("the owner alone: %v, %v", name, err)
	}
	bad := func(change func(u *url.URL)) string {
		u, err := url.Parse(service)
		ok(t, err)
		change(u)
		return u.String()
	}
	for _, service := range []string{
		bad(func(u *url.URL) { u.User = url.User("nobody") }),
		bad(func(u *url.URL) { u.User = url.UserPassword("x", "é") }),
		bad(func(u *url.URL) { u.Path = "/postgres" }),
		bad(func(u *url.URL) { u.User = url.UserPassword("postgres", "x") }),
	} {
		_, err := postgres.GrantRole(t.Context(), owner, service)
		wantKind(t, err, errs.Invalid)
	}
}
