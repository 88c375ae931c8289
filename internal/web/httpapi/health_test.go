package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestHealth(t *testing.T) {
	b := setup(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		r := b.do(t, "GET", path, "", "Authorization", "")
		if r.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	equal(t, "readyz", string(b.get(t, "/readyz").body), `{"status":"ok","stores":{"postgres":{"status":"ok"},"redis":{"status":"ok"}}}`)
}

func TestReadinessFollowsTheStoresThatAreRequired(t *testing.T) {
	down := func(context.Context) error { return errors.New("dial 10.0.0.1: refused") }
	hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	fine := func(context.Context) error { return nil }
	b := setup(t, func(s *Server) {
		s.limits.Check = time.Second
		s.Checks = []Check{{"postgres", true, hangs}, {"redis", true, fine}, {"milvus", false, down}}
	})
	r := b.get(t, "/readyz") // not delayed by a store that hangs
	equal(t, "status", r.status, http.StatusServiceUnavailable)
	equal(t, "body", string(r.body), `{"status":"down","stores":{"milvus":{"status":"down"},"postgres":{"status":"down"},"redis":{"status":"ok"}}}`)
	equal(t, "Retry-After", r.header.Get("Retry-After"), "5")
	b.log.await(t, "store down", "10.0.0.1")

	other := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Checks = []Check{{"redis", true, fine}, {"milvus", false, down}} })
	if r := other.get(t, "/readyz"); r.status != http.StatusOK {
		t.Errorf("a store that is not required unroutes the server: %d %s", r.status, r.body)
	}

	// The response says what is done without a store, but not why it is down.
	without := func(ctx context.Context) error {
		return fmt.Errorf("look: %w", &Degraded{Detail: "Les questions sont cherchées par les mots.", Err: down(ctx)})
	}
	third := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Checks = []Check{{"milvus", false, without}} })
	equal(t, "body", string(third.get(t, "/readyz").body), `{"status":"ok","stores":{"milvus":{"status":"down","detail":"Les questions sont cherchées par les mots."}}}`)
}

// A server with an outdated schema, after a rollback or a restored database, is not ready.
func TestAServerWhoseSchemaIsBehindIsNotReady(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	behind := start(t, db, sharedRedis.URL(), func(s *Server) { s.Checks = []Check{{"schema", true, db.CheckUpToDate}} })
	pgtest.Exec(t, url, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	r := behind.get(t, "/readyz")
	equal(t, "status", r.status, http.StatusServiceUnavailable)
	equal(t, "body", string(r.body), `{"status":"down","stores":{"schema":{"status":"down"}}}`)
	behind.log.await(t, "store down", "schema")
}
