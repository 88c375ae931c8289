package postgres_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// A pooler that refuses the settings of a session is told for what it is.
func TestAPoolerThatRefusesSettings(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer ln.Close()
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			server := pgproto3.NewBackend(conn, conn)
			_, _ = server.ReceiveStartupMessage() // what a client that leaves sends does not matter
			server.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: statement_timeout"})
			_ = server.Flush()
			_ = conn.Close()
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = postgres.Open(ctx, "postgres://vigueur@"+ln.Addr().String()+"/vigueur?sslmode=disable")
	wantKind(t, err, errs.Unavailable)
	if said := errs.Public(err); !strings.Contains(said, "PgBouncer") || !strings.Contains(said, "statement_timeout") {
		t.Errorf("told: %s", said)
	}
}

func TestAServerIsNoPooler(t *testing.T) {
	t.Parallel()
	e, err := postgres.Examine(t.Context(), pgtest.NewURL(t))
	ok(t, err)
	if e.Pooled {
		t.Error("a server is taken for a pooler")
	}
}
