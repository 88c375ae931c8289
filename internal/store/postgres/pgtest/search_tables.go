package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// Holds lists the tables of a database, including partitions, that have a row containing
// the text, regardless of case, or the bytes of the text. It searches all columns.
func Holds(t testing.TB, url, text string) (tables []string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `SELECT quote_ident(table_name) FROM information_schema.tables
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) < 20 {
		t.Fatalf("%d tables, %v", len(names), err)
	}
	for _, name := range names {
		var found bool
		err := conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM `+name+` x WHERE strpos(lower(x::text), lower($1)) > 0
			OR strpos(x::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0)`, text).Scan(&found)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if found {
			tables = append(tables, name)
		}
	}
	return tables
}

// Exec runs a statement in a database, for states that no method of postgres.DB produces,
// such as an older schema or an old row.
func Exec(t testing.TB, url, sql string) {
	t.Helper()
	if err := execute(t.Context(), url, sql); err != nil {
		t.Fatal(err)
	}
}
