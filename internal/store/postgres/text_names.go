package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law/naming"
)

// namesAtOnce is how many texts one transaction makes the keys of.
const namesAtOnce = 500

// NameQuery asks for texts by the keys of package naming.
type NameQuery struct {
	All     []string // a text has all of these
	Any     []string // and one of these, unless there are none
	Most    int      // how many texts are enough
	Ordered bool     // of more texts those with the smallest ids; else any of them
	Keys    KeysOf   // which texts are looked at
}

// KeysOf is a set of texts, by which version of the analysis made their keys. The zero value
// is this program's.
type KeysOf int

// The sets of texts by their keys.
const (
	KeysOfThis         KeysOf = iota // what this program's version made
	KeysOfOthers                     // what other versions made
	KeysOfWhatTheyWere               // what other versions made, or any of names that were changed since
)

// version is the condition of the rows n; $1 is naming.Analysis.
func (k KeysOf) version() string {
	return [...]string{"n.analysis = $1", "n.analysis <> $1 AND n.analysis <> 0", "n.analysis <> $1"}[k]
}

// NamedBy lists texts of the catalogue for each query, in the order of their ids; of one
// round trip. Texts whose keys are still to be made are absent, see Behind.
func (db *DB) NamedBy(ctx context.Context, queries ...NameQuery) (found [][]NamedText, err error) {
	shares, err := db.keyShares(ctx)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	found = make([][]NamedText, len(queries))
	for i, q := range queries {
		sql, args := q.statement(shares.plan(q))
		batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
			found[i], err = collectNamed(rows)
			return err
		})
	}
	return found, classify("texts by name", db.pool.SendBatch(ctx, batch).Close())
}

// statement looks the keys up before it looks at any text, whatever the planner expects of
// them: keys are bound to each other, and a plan that reads all texts until enough are found
// would read all of them where there are none.
func (q NameQuery) statement(p namePlan) (sql string, args []any) {
	args = []any{naming.Analysis, q.Most}
	order := ""
	if q.Ordered {
		order = " ORDER BY document_id"
	}
	return p.named(&args) + `
		SELECT d.* FROM (SELECT d.* FROM (SELECT document_id FROM n WHERE ` + q.Keys.version() + order + `) n
			CROSS JOIN LATERAL (SELECT ` + namedColumns + ` FROM documents d WHERE d.id = n.document_id AND NOT d.in_review OFFSET 0) d
			LIMIT $2) d ORDER BY d.id`, args
}

// named is SQL of the rows of names, as n, that a plan looks up; its arguments are added
// to args.
func (p namePlan) named(args *[]any) string {
	where := []string{"true"}
	// What the index is not to look up is compared with a value that it does not have.
	for _, c := range []struct {
		condition string
		keys      []string
	}{
		{"keys @>", p.looked}, {"keys || '{}' @>", p.compared}, {"keys &&", p.anyLooked}, {"keys || '{}' &&", p.anyCompared},
	} {
		if len(c.keys) > 0 {
			*args = append(*args, c.keys)
			where = append(where, fmt.Sprintf("%s $%d::text[]", c.condition, len(*args)))
		}
	}
	return `WITH n AS MATERIALIZED (SELECT document_id, analysis FROM text_names WHERE ` + strings.Join(where, " AND ") + `)`
}

// FirstNamed is the index of the first query that NamedBy finds a text for, -1 where there
// is none. It takes one round trip, and looks up nothing for the queries after that one.
// Most and Ordered of a query do not matter.
func (db *DB) FirstNamed(ctx context.Context, queries ...NameQuery) (first int, err error) {
	if len(queries) == 0 {
		return -1, nil
	}
	shares, err := db.keyShares(ctx)
	if err != nil {
		return -1, err
	}
	args := []any{naming.Analysis}
	var found []string
	for i, q := range queries {
		found = append(found, fmt.Sprintf(`(%s SELECT %d FROM n JOIN documents d ON d.id = n.document_id WHERE %s AND NOT d.in_review LIMIT 1)`,
			shares.plan(q).named(&args), i, q.Keys.version()))
	}
	// COALESCE evaluates its arguments in order, and none after the first that is not null.
	// The statement has as many shapes as there are lists of queries: it is not worth keeping.
	err = db.pool.QueryRow(ctx, `SELECT coalesce(`+strings.Join(found, ", ")+`, -1)`, append([]any{pgx.QueryExecModeExec}, args...)...).Scan(&first)
	return first, classify("first text by name", err)
}

// TextsNamed reads texts of the catalogue by their ids, in the order of these in the
// catalogue; those that it does not have are absent.
func (db *DB) TextsNamed(ctx context.Context, ids []uuid.UUID) ([]NamedText, error) {
	rows, err := db.pool.Query(ctx, `SELECT `+namedColumns+` FROM documents d WHERE d.id = ANY($1) AND NOT d.in_review ORDER BY d.id`, ids)
	if err != nil {
		return nil, classify("named texts", err)
	}
	texts, err := collectNamed(rows)
	return texts, classify("named texts", err)
}

const namedColumns = documentColumns + `, d.countries, d.repealed_on,
	coalesce((SELECT e.value->>'words' FROM jsonb_array_elements(d.evidence) e WHERE e.value->>'field' = 'date_entree_vigueur' LIMIT 1), '') AS force_words`

func collectNamed(rows pgx.Rows) ([]NamedText, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t NamedText, err error) {
		err = row.Scan(append(documentFields(&t.Document), &t.Countries, &t.RepealedOn, &t.ForceWords)...)
		return t, err
	})
}

// MakeNames makes the keys of some texts whose keys are still to be made, or were made by
// an older version of the analysis, and returns of how many: 0 when there are none left, or
// other processes hold those.
func (db *DB) MakeNames(ctx context.Context) (made int, err error) {
	err = db.inTx(ctx, "make names", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT document_id FROM text_names WHERE analysis < $1 ORDER BY analysis, document_id
			LIMIT $2 FOR UPDATE SKIP LOCKED`, naming.Analysis, namesAtOnce)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return err
		}
		made = len(ids)
		// A statement of its own: what a text was called before its row was locked may be old.
		return makeNames(ctx, tx, ids)
	})
	return made, err
}

// makeNames makes the keys of those of the texts that need it. Whoever calls it holds the
// texts, or their rows of names.
func makeNames(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT d.id, d.title, d.nature, d.numero_officiel, d.doc_type, d.promulgated_on, d.countries
		FROM text_names n JOIN documents d ON d.id = n.document_id WHERE n.document_id = ANY($1) AND n.analysis <> $2`, documents, naming.Analysis)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	var keys []string
	var id uuid.UUID
	var t naming.Text
	_, err = pgx.ForEachRow(rows, []any{&id, &t.Title, &t.Nature, &t.Number, &t.Type, &t.Promulgated, &t.Countries}, func() error {
		ids, keys = append(ids, id), append(keys, strings.Join(t.Keys(), keysApart))
		t = naming.Text{}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE text_names n SET keys = string_to_array(m.keys, $3), analysis = $4
		FROM unnest($1::uuid[], $2::text[]) m(id, keys) WHERE n.document_id = m.id`, ids, keys, keysApart, naming.Analysis)
	return err
}

// keysApart parts the keys of a text from each other where they are sent as one string; it
// is in none of them.
const keysApart = "\n"

// prepareNames makes the keys of all texts that need it, and has PostgreSQL count which are
// common: nobody else would for a while where it does not do so by itself.
func prepareNames(ctx context.Context, url string, tell func(Migrating)) error {
	db, err := Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	var behind int
	if err := db.pool.QueryRow(ctx, `SELECT count(*) FROM text_names WHERE analysis < $1`, naming.Analysis).Scan(&behind); err != nil {
		return classify("prepare names", err)
	}
	for all := 0; ; {
		if behind > 0 {
			tell(Migrating{PreparesNames, all, max(all, behind)}) // some may have come since
		}
		made, err := db.MakeNames(ctx)
		if err != nil {
			return err
		}
		if all += made; made > 0 {
			continue
		}
		if all > 0 {
			_, err = db.pool.Exec(ctx, `ANALYZE text_names`)
		}
		return err
	}
}
