package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law/naming"
)

// namesAtOnce is the number of texts whose keys one transaction makes.
const namesAtOnce = 500

// NameQuery selects texts by the keys of package naming.
type NameQuery struct {
	All     []string // keys that a text must have
	Any     []string // keys of which a text must have at least one, unless empty
	Most    int      // maximum number of texts
	Ordered bool     // if more texts match, return those with the smallest ids; otherwise any of them
	Keys    KeysOf   // set of texts to search
}

// KeysOf is a set of texts, chosen by the version of the analysis that made their keys. The
// zero value is the set of this program's version.
type KeysOf int

// The sets of texts.
const (
	KeysOfThis         KeysOf = iota // keys made by this program's version
	KeysOfOthers                     // keys made by other versions, and the text was not renamed since
	KeysOfWhatTheyWere               // keys made by other versions, or from names that were changed since
)

// version returns the SQL condition of the set on the rows n; $1 is naming.Analysis.
func (k KeysOf) version() string {
	return [...]string{"n.analysis = $1", "n.analysis <> $1 AND n.analysis <> 0", "n.analysis <> $1"}[k]
}

// NameSource finds texts of the catalogue by name. That of a DB sees committed rows, that of a transaction also the
// transaction's own.
type NameSource struct {
	names  batcher
	shares *knownShares
}

// batcher is a pool of connections, or a transaction.
type batcher interface {
	querier
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// NamedBy lists the texts of the catalogue that match each query, in the order of their
// ids, in one round trip. It does not find texts whose keys were not made yet; see Behind.
func (s NameSource) NamedBy(ctx context.Context, queries ...NameQuery) (found [][]NamedText, err error) {
	shares, err := s.keyShares(ctx)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	found = make([][]NamedText, len(queries))
	for i, q := range queries {
		sql, args := q.statement(shares.Plan(q.All, q.Any))
		batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
			found[i], err = collectNamed(rows)
			return err
		})
	}
	return found, classify("texts by name", s.names.SendBatch(ctx, batch).Close())
}

// statement returns the SQL of the query. It looks up the keys in a materialized WITH item
// before it reads any text, whatever the planner estimates. The planner assumes that keys
// are independent; if no text matches, a plan that reads texts until enough are found would
// read all of them.
func (q NameQuery) statement(p naming.Plan) (sql string, args []any) {
	args = []any{naming.Analysis, q.Most}
	order := ""
	if q.Ordered {
		order = " ORDER BY document_id"
	}
	return condition(p, &args) + `
		SELECT d.* FROM (SELECT d.* FROM (SELECT document_id FROM n WHERE ` + q.Keys.version() + order + `) n
			CROSS JOIN LATERAL (SELECT ` + namedColumns + ` FROM documents d WHERE d.id = n.document_id AND NOT d.in_review OFFSET 0) d
			LIMIT $2) d ORDER BY d.id`, args
}

// condition returns a WITH item n with the rows of names that the plan selects, and appends its
// arguments to args.
func condition(p naming.Plan, args *[]any) string {
	where := []string{"true"}
	// Concatenating an empty array keeps PostgreSQL from using the index for keys that are
	// only to be compared.
	for _, c := range []struct {
		condition string
		keys      []string
	}{
		{"keys @>", p.Looked}, {"keys || '{}' @>", p.Compared}, {"keys &&", p.AnyLooked}, {"keys || '{}' &&", p.AnyCompared},
	} {
		if len(c.keys) > 0 {
			*args = append(*args, c.keys)
			where = append(where, fmt.Sprintf("%s $%d::text[]", c.condition, len(*args)))
		}
	}
	return `WITH n AS MATERIALIZED (SELECT document_id, analysis FROM text_names WHERE ` + strings.Join(where, " AND ") + `)`
}

// FirstNamed returns the index of the first query for which NamedBy finds a text, -1 if
// there is none. It takes one round trip, and does not run the queries after that one. It
// ignores Most and Ordered of the queries.
func (s NameSource) FirstNamed(ctx context.Context, queries ...NameQuery) (first int, err error) {
	if len(queries) == 0 {
		return -1, nil
	}
	shares, err := s.keyShares(ctx)
	if err != nil {
		return -1, err
	}
	args := []any{naming.Analysis}
	var found []string
	for i, q := range queries {
		found = append(found, fmt.Sprintf(`(%s SELECT %d FROM n JOIN documents d ON d.id = n.document_id WHERE %s AND NOT d.in_review LIMIT 1)`,
			condition(shares.Plan(q.All, q.Any), &args), i, q.Keys.version()))
	}
	// COALESCE evaluates its arguments in order, up to the first one that is not null. The SQL
	// differs for almost every list of queries, so it is not worth caching as a prepared
	// statement.
	err = s.names.QueryRow(ctx, `SELECT coalesce(`+strings.Join(found, ", ")+`, -1)`, append([]any{pgx.QueryExecModeExec}, args...)...).Scan(&first)
	return first, classify("first text by name", err)
}

// TextsNamed reads texts of the catalogue by id. Texts that are not in the catalogue are
// absent from the result.
func (s NameSource) TextsNamed(ctx context.Context, ids []uuid.UUID) ([]NamedText, error) {
	rows, err := s.names.Query(ctx, `SELECT `+namedColumns+` FROM documents d WHERE d.id = ANY($1) AND NOT d.in_review ORDER BY d.id`, ids)
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

// MakeNames makes the keys of up to namesAtOnce texts whose keys were not made yet or were
// made by an older version of the analysis. It returns the number of these texts: 0 if none
// are left, or if other processes have locked the rest.
func (db *DB) MakeNames(ctx context.Context) (made int, err error) {
	err = db.inTx(ctx, "make names", func(tx pgx.Tx) error {
		ids, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT document_id FROM text_names WHERE analysis < $1 ORDER BY analysis, document_id
			LIMIT $2 FOR UPDATE SKIP LOCKED`, naming.Analysis, namesAtOnce)
		if err != nil {
			return err
		}
		made = len(ids)
		// A separate statement reads the current names: the first one may have read names from
		// before it locked the row.
		return makeNames(ctx, tx, ids)
	})
	return made, err
}

// makeNames makes the keys of those given texts that need it. The caller has locked the
// texts or their rows in text_names.
func makeNames(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT d.id, d.title, d.nature, d.numero_officiel, d.doc_type, d.promulgated_on, d.countries
		FROM text_names n JOIN documents d ON d.id = n.document_id WHERE n.document_id = ANY($1) AND n.analysis <> $2`, documents, naming.Analysis)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	var keys []string
	var id uuid.UUID
	var t naming.Name
	_, err = pgx.ForEachRow(rows, []any{&id, &t.Title, &t.Nature, &t.Number, &t.Type, &t.Promulgated, &t.Countries}, func() error {
		ids, keys = append(ids, id), append(keys, strings.Join(t.Keys(), keysApart))
		t = naming.Name{}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE text_names n SET keys = string_to_array(m.keys, $3), analysis = $4
		FROM unnest($1::uuid[], $2::text[]) m(id, keys) WHERE n.document_id = m.id`, ids, keys, keysApart, naming.Analysis)
	return err
}

// keysApart separates the keys of a text where they are sent as one string. No key contains
// it.
const keysApart = "\n"

// prepareNames makes the keys of all texts that need it. It then runs ANALYZE, because
// keyShares needs current statistics and PostgreSQL would collect them only some time
// later, or not at all without autovacuum.
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
			tell(Migrating{PreparesNames, all, max(all, behind)}) // texts may have been added since they were counted
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
