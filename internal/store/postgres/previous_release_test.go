package postgres_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// meant are the intentional changes since the previous release that its programs tolerate,
// each with the reason.
var meant = map[string]string{
	"audit_chain.hash is gone":    onlyVerifyReads,
	"audit_chain.line_at is gone": onlyVerifyReads,
	"audit_chain.line_id is gone": onlyVerifyReads,
	"audit_chain.prev is gone":    onlyVerifyReads,
	"audit_chain.seq is gone":     onlyVerifyReads,
}

const onlyVerifyReads = "only « ingest audit verify » reads it"

// TestTheReleaseBeforeBearsTheSchema compares the schema with that of the previous release,
// whose commit and last migration are in testdata/previous.txt: what its programs read must
// exist unchanged, and what they write must be accepted. scripts/check --deep runs those
// programs on it.
func TestTheReleaseBeforeBearsTheSchema(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/previous.txt")
	if err != nil {
		t.Fatal(err)
	}
	var commit string
	var step int64
	if _, err := fmt.Sscan(string(text), &commit, &step); err != nil || len(commit) != 40 {
		t.Fatalf("previous.txt: %q, %v", text, err)
	}
	url := pgtest.NewEmptyURL(t)
	if err := postgres.MigrateTo(t.Context(), url, step); err != nil {
		t.Fatal(err)
	}
	before := readSchema(t, url)
	if len(before.columns) < 100 {
		t.Fatalf("%d columns at step %d", len(before.columns), step)
	}
	if _, err := postgres.Migrate(t.Context(), url, nil); err != nil {
		t.Fatal(err)
	}
	found := before.unbearable(readSchema(t, url))
	for _, what := range found {
		if meant[what] == "" {
			t.Errorf("%s: programs of the release before (step %d) may fail. Do it in two releases; or, if they bear it, say why in « meant »", what, step)
		}
	}
	for what := range meant {
		if !slices.Contains(found, what) {
			t.Errorf("« %s » is meant and does not happen", what)
		}
	}
}

// schema is the part of a database's structure that programs rely on.
type schema struct {
	columns map[string]column // by table.column
	tables  map[string]bool
	rules   map[string]rule // constraints, unique indexes and triggers, by table and name
}

// rule is a constraint that the database enforces.
type rule struct {
	Says    string
	Columns []string // columns that it concerns, without the table's name; none: the whole row
}

type column struct {
	Kind              string
	Nullable, Default bool // Default: a row can be inserted without a value
}

// unbearable lists the incompatibilities of a new schema with programs that know only the
// schema s.
func (s schema) unbearable(now schema) (found []string) {
	for name, c := range s.columns {
		n, there := now.columns[name]
		switch {
		case !there:
			found = append(found, name+" is gone")
		case n.Kind != c.Kind:
			found = append(found, name+" was "+c.Kind+" and is "+n.Kind)
		case c.Nullable && !n.Nullable:
			found = append(found, name+" must no longer be null")
		case c.Default && !n.Default && !n.Nullable:
			found = append(found, name+" must be given")
		}
	}
	for name, c := range now.columns {
		table, _, _ := strings.Cut(name, ".")
		if _, there := s.columns[name]; !there && s.tables[table] && !c.Nullable && !c.Default {
			found = append(found, name+" is new and must be given")
		}
	}
	for name, r := range now.rules {
		table, _, _ := strings.Cut(name, ".")
		if s.tables[table] && !s.knows(table, r, s.rules[name]) {
			found = append(found, name+" holds writers to something new")
		}
	}
	slices.Sort(found)
	return found
}

// knows reports whether programs that know s comply with a rule on one of their tables: the
// rule is unchanged, allows more values than before, or concerns columns that they do not
// write.
func (s schema) knows(table string, r, before rule) bool {
	ours := func(name string) bool { _, there := s.columns[table+"."+name]; return there }
	return r.Says == before.Says || widened(before.Says, r.Says) || len(r.Columns) > 0 && !slices.ContainsFunc(r.Columns, ours)
}

var quoted = regexp.MustCompile(`'[^']*'(::[a-z ]+)?(, )?`)

// widened reports whether a check only allows more values than before.
func widened(left, now string) bool {
	allowed := quoted.FindAllString(now, -1)
	for i, value := range allowed {
		allowed[i] = strings.TrimSuffix(value, ", ")
	}
	for _, value := range quoted.FindAllString(left, -1) {
		if !slices.Contains(allowed, strings.TrimSuffix(value, ", ")) {
			return false
		}
	}
	return left != "" && quoted.ReplaceAllString(left, "") == quoted.ReplaceAllString(now, "")
}

func TestWidened(t *testing.T) {
	t.Parallel()
	const before = "CHECK ((state = ANY (ARRAY['a'::text, 'b'::text])))"
	for now, want := range map[string]bool{
		"CHECK ((state = ANY (ARRAY['a'::text, 'b'::text, 'c'::text])))": true,
		"CHECK ((state = ANY (ARRAY['a'::text, 'c'::text])))":            false,
		"CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text])))":             false,
	} {
		if got := widened(before, now); got != want {
			t.Errorf("%s: %v", now, got)
		}
	}
	if widened("", before) {
		t.Error("a new rule is taken for an old one")
	}
}

func TestUnbearable(t *testing.T) {
	t.Parallel()
	made := func() schema {
		return schema{tables: map[string]bool{"a": true}, rules: map[string]rule{"a.old": {Says: "CHECK (x > 0)", Columns: []string{"x"}}},
			columns: map[string]column{"a.x": {Kind: "integer", Nullable: true}, "a.y": {Kind: "text", Default: true}}}
	}
	for want, change := range map[string]func(s schema){
		"a.x is gone":                              func(s schema) { delete(s.columns, "a.x") },
		"a.x was integer and is bigint":            func(s schema) { s.columns["a.x"] = column{Kind: "bigint", Nullable: true} },
		"a.x must no longer be null":               func(s schema) { s.columns["a.x"] = column{Kind: "integer", Default: true} },
		"a.y must be given":                        func(s schema) { s.columns["a.y"] = column{Kind: "text"} },
		"a.z is new and must be given":             func(s schema) { s.columns["a.z"] = column{Kind: "text"} },
		"a.new holds writers to something new":     func(s schema) { s.rules["a.new"] = rule{Says: "UNIQUE (y)", Columns: []string{"y"}} },
		"a.old holds writers to something new":     func(s schema) { s.rules["a.old"] = rule{Says: "CHECK (x > 1)", Columns: []string{"x"}} },
		"a.trigger holds writers to something new": func(s schema) { s.rules["a.trigger"] = rule{Says: "CREATE TRIGGER"} },
		"": func(s schema) { // a new table and a new column with rules, and one rule less
			s.columns["a.z"], s.columns["b.x"] = column{Kind: "text", Nullable: true}, column{Kind: "text"}
			s.rules["a.z_check"], s.rules["b.x_check"] = rule{Says: "CHECK (z)", Columns: []string{"z"}}, rule{Says: "CHECK (x)", Columns: []string{"x"}}
			delete(s.rules, "a.old")
		},
	} {
		now := made()
		change(now)
		if got := strings.Join(made().unbearable(now), "; "); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
}

func readSchema(t *testing.T, url string) schema {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	s := schema{columns: map[string]column{}, tables: map[string]bool{}, rules: map[string]rule{}}
	rows, err := conn.Query(ctx, `SELECT c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
			a.atthasdef OR a.attidentity <> '' OR a.attgenerated <> ''
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'goose_db_version'`)
	if err != nil {
		t.Fatal(err)
	}
	var name string
	var c column
	if _, err := pgx.ForEachRow(rows, []any{&name, &c.Kind, &c.Nullable, &c.Default}, func() error {
		s.columns[name] = c
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for name := range maps.Keys(s.columns) {
		table, _, _ := strings.Cut(name, ".")
		s.tables[table] = true
	}
	rows, err = conn.Query(ctx, `WITH rules AS (
			SELECT conrelid AS rel, conname AS name, pg_get_constraintdef(oid) AS says, conkey AS keys FROM pg_constraint
			UNION ALL SELECT tgrelid, tgname, pg_get_triggerdef(oid), NULL FROM pg_trigger WHERE NOT tgisinternal
			UNION ALL SELECT x.indrelid, i.relname, pg_get_indexdef(x.indexrelid), x.indkey::smallint[]
				FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indisunique)
		SELECT c.relname || '.' || r.name, r.says,
			array(SELECT attname::text FROM pg_attribute WHERE attrelid = r.rel AND attnum = ANY (r.keys))
		FROM rules r JOIN pg_class c ON c.oid = r.rel WHERE c.relnamespace = 'public'::regnamespace`)
	if err != nil {
		t.Fatal(err)
	}
	var r rule
	if _, err := pgx.ForEachRow(rows, []any{&name, &r.Says, &r.Columns}, func() error {
		s.rules[name] = rule{Says: r.Says, Columns: slices.Clone(r.Columns)}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return s
}
