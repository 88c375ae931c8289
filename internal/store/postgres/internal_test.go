package postgres

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

func TestNamesOfConnectionsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, p := range []Process{
		{Program: "api", Version: "v0.9.2", Newest: 180, ID: "1a2b3c", Connections: 8},
		{Program: "worker", Version: "v0.0.0-20261123091045-1a2b3c4d5e6f", Newest: 9999, ID: "1a2b3c", Connections: 8},
		{Program: "worker", Version: "(inconnue)", Newest: 180, ID: "1a2b3c"},
	} {
		name := p.name()
		if got, ok := processOf(name); !ok || got != p || len(name) > 63 {
			t.Errorf("%q is read as %+v, %v", name, got, ok)
		}
	}
	long := Process{Program: "worker", Version: "v0.0.0-20261123091045-1a2b3c4d5e6f+dirty-and-more", Newest: 180, ID: "1a2b3c", Connections: 120}
	if got, ok := processOf(long.name()); !ok || got.ID != long.ID || got.Connections != 120 || len(got.Version) < 32 || len(long.name()) != 63 {
		t.Errorf("%q is read as %+v, %v", long.name(), got, ok)
	}
	if got, ok := processOf("vigueur-worker 180 1a2b3c v0.9.2"); !ok || got.ID != "1a2b3c" || got.Connections != 0 {
		t.Errorf("a process that does not tell its connections is read as %+v, %v", got, ok)
	}
	for _, name := range []string{"", "psql", "vigueur-", "vigueur-worker", "vigueur-worker x 1a2b3c v1", "vigueur-worker 180 1a2b3c"} {
		if p, ok := processOf(name); ok {
			t.Errorf("%q is %+v", name, p)
		}
	}
}

// A program waits for a server that restarts, but not for a server that refuses it permanently. It calls Waiting once
// a minute.
func TestWaitsForAServerThatRestarts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var told []time.Duration
		refused := errors.New("password authentication failed")
		p := Program{Waiting: func(waited time.Duration, _ error) { told = append(told, waited.Round(time.Minute)) }}
		err := p.await(t.Context(), func() error {
			if time.Since(began) < 3*time.Minute-time.Second {
				return fmt.Errorf("connect: %w", &pgconn.PgError{Code: "57P03", Message: "the database system is starting up"})
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("waited until %v", err)
		}
		if want := []time.Duration{0, time.Minute, 2 * time.Minute}; fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("told after %v, want %v", told, want)
		}
	})
}

// Ids have the same effect as when pgx sends them itself, in every context and for every
// use.
func TestIDsAreSentAsPgxWould(t *testing.T) {
	t.Parallel()
	quick, plain := pgtype.NewMap(), pgtype.NewMap()
	sendIDsAsBytes(quick)
	a, b := uuid.New(), uuid.New()
	for name, c := range map[string]struct {
		oid   uint32
		value any
	}{
		"one":                {pgtype.UUIDOID, a},
		"the one of zeros":   {pgtype.UUIDOID, uuid.Nil},
		"a pointer":          {pgtype.UUIDOID, &a},
		"a pointer to none":  {pgtype.UUIDOID, (*uuid.UUID)(nil)},
		"one that may lack":  {pgtype.UUIDOID, uuid.NullUUID{UUID: a, Valid: true}},
		"one that lacks":     {pgtype.UUIDOID, uuid.NullUUID{}},
		"a list":             {pgtype.UUIDArrayOID, []uuid.UUID{a, b, a}},
		"an empty list":      {pgtype.UUIDArrayOID, []uuid.UUID{}},
		"no list":            {pgtype.UUIDArrayOID, []uuid.UUID(nil)},
		"a list of pointers": {pgtype.UUIDArrayOID, []*uuid.UUID{&a, nil}},
		"as a text":          {pgtype.TextOID, a},
		"in JSON":            {pgtype.JSONBOID, map[string]any{"id": a}},
	} {
		t.Run(name, func(t *testing.T) { // sequential: a connection's type map is used by one goroutine
			for _, format := range []int16{pgtype.BinaryFormatCode, pgtype.TextFormatCode} {
				got, err := quick.Encode(c.oid, format, c.value, nil)
				want, failed := plain.Encode(c.oid, format, c.value, nil)
				if (err == nil) != (failed == nil) || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
					t.Errorf("format %d: %q (%v), want %q (%v)", format, got, err, want, failed)
				}
			}
		})
	}
}

func TestNearForms(t *testing.T) {
	t.Parallel()
	condition, patterns := nearForms("le 20085 contarts")
	if condition != "d.title_folded LIKE ANY (($4::text[])[1:8])" || !slices.Contains(patterns, "%contrats%") || !slices.Contains(patterns, "%contarts%") {
		t.Errorf("%s of %q", condition, patterns)
	}
	for _, none := range []string{"", "le", "20085", strings.Repeat("contrats ", 26)} {
		if condition, patterns := nearForms(none); condition != "" {
			t.Errorf("%q: %s of %d patterns", none, condition, len(patterns))
		}
	}
}
