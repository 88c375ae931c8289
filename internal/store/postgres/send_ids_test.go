package postgres

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

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
