package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestAProgramWaitsUntilTheServerHasAConnectionForIt(t *testing.T) {
	t.Parallel()
	url, allow := pgtest.NewFullURL(t)
	var log strings.Builder
	say := postgres.LogWaiting(slog.New(slog.NewTextHandler(&log, nil)))
	db, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Leases: true, Waiting: func(waited time.Duration, err error) {
		say(waited, err)
		allow(-1)
	}})
	ok(t, err)
	t.Cleanup(db.Close)
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "all connections of PostgreSQL are in use: waiting for a free one") {
		t.Errorf("logged %q, want one line that says what is waited for", got)
	}
}

func TestAProgramStopsWaitingForAFullServer(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.NewFullURL(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := postgres.OpenFor(ctx, url, postgres.Program{Waiting: func(time.Duration, error) { cancel() }})
	if !errors.Is(err, context.Canceled) || !errs.Is(err, errs.Cancelled) {
		t.Errorf("a program that was told to end: %v", err)
	}
	told := 0
	_, err = postgres.OpenFor(t.Context(), url, postgres.Program{Wait: 200 * time.Millisecond, Waiting: func(time.Duration, error) { told++ }})
	wantKind(t, err, errs.Unavailable)
	if got := errs.Public(err); told != 1 || !strings.Contains(got, "plus de connexion libre") || !strings.Contains(got, "VIGUEUR_DATABASE_CONNECTIONS") {
		t.Errorf("after its time, told %d times: %q", told, got)
	}
}

// When other clients take all remaining connections, connected programs still renew leases
// and work.
func TestAServerThatFillsUpHurtsNobodyWhoIsConnected(t *testing.T) {
	t.Parallel()
	url, allow := pgtest.NewFullURL(t)
	allow(-1)
	db, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Leases: true})
	ok(t, err)
	t.Cleanup(db.Close)
	allow(0)
	_, err = db.KeepAnswer(t.Context(), postgres.NewID(), 1)
	wantKind(t, err, errs.LeaseLost) // the server answered that there is no such answer
	ok(t, db.Ping(t.Context()))
	release, err := db.Acquire(t.Context())
	ok(t, err)
	defer release()
	// A call that needs a further connection fails with an error that allows a retry.
	_, err = db.Processes(t.Context())
	wantKind(t, err, errs.Unavailable)
	if !postgres.Full(err) {
		t.Errorf("refused with %v", err)
	}
}
