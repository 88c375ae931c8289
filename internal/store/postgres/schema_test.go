package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/store/postgres/pgtest"
)

// When a row is deleted, PostgreSQL looks for references to it in other tables. Without an
// index it reads these tables completely.
func TestEveryReferenceHasAnIndex(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.NewURL(t))
	ok(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `SELECT c.conrelid::regclass || '.' || a.attname FROM pg_constraint c
		JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		WHERE c.contype = 'f' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])`)
	ok(t, err)
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	ok(t, err)
	if len(missing) > 0 {
		t.Errorf("references without an index: %v", missing)
	}
}
