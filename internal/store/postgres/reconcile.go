package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// Files calls yield with the hash, id, state and name of every file.
func (db *DB) Files(ctx context.Context, yield func(Ingestion) error) error {
	rows, err := db.pool.Query(ctx, `SELECT id, sha256, filename, state FROM ingestions ORDER BY created_at, id`)
	if err != nil {
		return classify("files", err)
	}
	var i Ingestion
	_, err = pgx.ForEachRow(rows, []any{&i.ID, &i.SHA256, &i.Filename, &i.State}, func() error { return yield(i) })
	return classify("files", err)
}

// Inconsistency is a row that contradicts other rows.
type Inconsistency struct {
	ID   uuid.UUID
	Name string // name of the file, or title of the text
}

// contradictions are the kinds of inconsistencies between rows, each with the query that
// finds the rows and the statement that repairs them.
var contradictions = []struct{ Name, Find, Mend string }{
	{"review", // a file in review without a text in review
		`SELECT i.id, i.filename FROM ingestions i WHERE i.state = 'review'
			AND NOT EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.in_review AND d.superseded_by IS NULL)`,
		`UPDATE ingestions SET state = CASE WHEN EXISTS (SELECT FROM documents WHERE ingestion_id = ingestions.id) THEN 'done' ELSE 'cancelled' END,
			updated_at = now() WHERE id = ANY($1) AND state = 'review'`},
	{"waiting", // a text in review of a file that is done
		`SELECT i.id, i.filename FROM ingestions i WHERE i.state = 'done'
			AND EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.in_review AND d.superseded_by IS NULL)`,
		`UPDATE ingestions SET state = 'review', updated_at = now() WHERE id = ANY($1) AND state = 'done'`},
	{"passages", // a text whose count of passages is wrong
		`SELECT d.id, d.title FROM documents d WHERE d.passages_count <> (SELECT count(*) FROM passages p WHERE p.document_id = d.id AND NOT p.quoted)`,
		`UPDATE documents d SET passages_count = (SELECT count(*) FROM passages p WHERE p.document_id = d.id AND NOT p.quoted) WHERE d.id = ANY($1)`},
	{"pages", // a file whose count of read pages is wrong
		`SELECT i.id, i.filename FROM ingestions i WHERE i.state NOT IN ('queued', 'running')
			AND i.pages_done <> (SELECT count(*) FROM ingestion_pages p WHERE p.ingestion_id = i.id)`,
		`UPDATE ingestions i SET pages_done = (SELECT count(*) FROM ingestion_pages p WHERE p.ingestion_id = i.id) WHERE i.id = ANY($1)`},
	{"status", // a text whose status does not follow from its relations
		`SELECT d.id, d.title FROM documents d WHERE NOT d.status_by_hand AND d.statut <> (SELECT CASE
			WHEN bool_or(r.kind = 'abroge' AND r.target_articles = '{}') THEN 'abroge' WHEN count(*) > 0 THEN 'modifie' ELSE 'en_vigueur' END
			FROM relation_targets t JOIN relations r ON r.id = t.relation_id WHERE t.document_id = d.id AND r.effective_on <= law_day(now(), d.countries))`,
		``}, // derive repairs it
}

// InconsistencyKinds lists the kinds of inconsistencies that Inconsistencies can find.
func InconsistencyKinds() (names []string) {
	for _, a := range contradictions {
		names = append(names, a.Name)
	}
	return names
}

// Inconsistencies finds the inconsistent rows of a kind, and repairs them if mend is true.
func (db *DB) Inconsistencies(ctx context.Context, kind string, mend bool) (found []Inconsistency, err error) {
	err = db.inTx(ctx, "inconsistencies "+kind, func(tx pgx.Tx) error {
		for _, a := range contradictions {
			if a.Name != kind {
				continue
			}
			if mend {
				if err := lockTexts(ctx, tx); err != nil {
					return err
				}
			}
			if found, err = collect(ctx, tx, pgx.RowToStructByPos[Inconsistency], a.Find); err != nil || !mend || len(found) == 0 {
				return err
			}
			ids := make([]uuid.UUID, len(found))
			for i, f := range found {
				ids[i] = f.ID
			}
			if a.Mend == "" {
				return derive(ctx, tx, ids, nil)
			}
			_, err = tx.Exec(ctx, a.Mend, ids)
			return err
		}
		return nil
	})
	return found, err
}

// ReindexPassages notifies the catalogue's followers of every text, so that they index
// everything again, and returns the number of texts.
func (db *DB) ReindexPassages(ctx context.Context) (n int, err error) {
	err = db.inTx(ctx, "reindex passages", func(tx pgx.Tx) error {
		ids, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT id FROM documents WHERE NOT in_review`)
		if err != nil {
			return err
		}
		n = len(ids)
		if err := announce(ctx, tx, ids); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentIndexed, "", details{"texts": n})
	})
	return n, err
}

// CatalogueIDs returns the ids of the texts of the catalogue.
func (db *DB) CatalogueIDs(ctx context.Context) (map[uuid.UUID]bool, error) {
	ids := map[uuid.UUID]bool{}
	err := db.CatalogueTexts(ctx, nil, func(d law.Document) error { ids[d.ID] = true; return nil })
	return ids, err
}

// AuditedText is a text of the catalogue with what an audit looks at.
type AuditedText struct {
	law.Document
	Filename string
	Around   string        // the beginnings of what stands around its articles: the preamble, the signatures
	Articles []law.Article // printed ones, with number, path and the end of the words only
	Changes  []string      // what the text is found to change, in French
}

// auditedEnd is the number of characters of an article, at its end, or of what stands around it that an audit reads.
const auditedEnd = 300

// AuditTexts calls yield with each text of the catalogue, by file and page.
func (db *DB) AuditTexts(ctx context.Context, yield func(AuditedText) error) error {
	rows, err := db.pool.Query(ctx, `SELECT i.filename, array(SELECT a.number FROM articles a WHERE a.document_id = d.id AND `+ownArticle+` ORDER BY a.position),
			array(SELECT right(a.body, $1) FROM articles a WHERE a.document_id = d.id AND `+ownArticle+` ORDER BY a.position),
			(SELECT coalesce(string_agg(left(a.body, $1), ' '), '') FROM articles a WHERE a.document_id = d.id AND a.number = ''),
			array(SELECT concat_ws(' ', CASE r.kind WHEN 'abroge' THEN 'abroge' ELSE 'modifie' END, o.title, '(article', a.number, '; dit de', nullif(concat_ws(' ', r.target_type, r.target_number, r.target_title), ''), ')')
				FROM relations r JOIN relation_targets t ON t.relation_id = r.id JOIN documents o ON o.id = t.document_id JOIN articles a ON a.id = r.source_article
				WHERE r.source_id = d.id ORDER BY a.position, r.id), `+documentColumns+`
		FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE NOT d.in_review AND d.superseded_by IS NULL ORDER BY i.filename, d.position`, auditedEnd)
	if err != nil {
		return classify("audit of texts", err)
	}
	defer rows.Close()
	for rows.Next() {
		var t AuditedText
		var numbers, ends []string
		if err := rows.Scan(append([]any{&t.Filename, &numbers, &ends, &t.Around, &t.Changes}, documentFields(&t.Document)...)...); err != nil {
			return classify("audit of texts", err)
		}
		for i, n := range numbers {
			t.Articles = append(t.Articles, law.Article{Number: n, Text: ends[i]})
		}
		if err := yield(t); err != nil {
			return err
		}
	}
	return classify("audit of texts", rows.Err())
}

// AuditFiles calls yield with each file that was read and of which something is remarked: its name and the remark.
func (db *DB) AuditFiles(ctx context.Context, yield func(filename, remark string) error) error {
	var filename, remark string
	rows, err := db.pool.Query(ctx, `SELECT filename, error FROM ingestions WHERE error <> '' AND state IN ('done', 'review', 'failed') ORDER BY filename`)
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&filename, &remark}, func() error { return yield(filename, remark) })
	}
	return classify("audit of files", err)
}
