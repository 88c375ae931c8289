package e2e

import (
	"context"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"vigueur/e2e/stage"
)

// Processes that start while PostgreSQL has no connection left wait for one, and say so; those that are told to end, end.
func TestProcessesStartWhilePostgreSQLIsFull(t *testing.T) {
	t.Parallel()
	s := open(t)
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	allow := func(connections string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), `ALTER DATABASE `+conn.Config().Database+` CONNECTION LIMIT `+connections); err != nil {
			t.Fatal(err)
		}
	}
	start := func(program string) *stage.Process {
		t.Helper()
		p, err := s.Start(program, map[string]string{"VIGUEUR_LISTEN": "127.0.0.1:0"})
		if err != nil {
			t.Fatal(err)
		}
		logOnFailure(t, program, p)
		await(t, program+" waits", func() bool { return strings.Contains(p.Log(), "waiting for a free one") })
		return p
	}
	allow("0")
	for _, program := range []string{"api", "worker"} {
		p := start(program)
		p.Signal(syscall.SIGTERM)
		await(t, program+" has ended", p.Ended)
		if code := p.Code(); code != 0 {
			t.Errorf("%s that was told to end while it waited: exit code %d", program, code)
		}
	}
	api, worker := start("api"), start("worker")
	allow("-1")
	await(t, "the api listens", func() bool { return strings.Contains(api.Log(), `"msg":"listening"`) })
	await(t, "the worker is ready", func() bool { return strings.Contains(worker.Log(), `"msg":"ready"`) })
	for _, p := range []*stage.Process{api, worker} {
		if n := strings.Count(p.Log(), "waiting for a free one"); n != 1 {
			t.Errorf("it was said %d times that a connection is waited for: %s", n, p.Log())
		}
	}
}
