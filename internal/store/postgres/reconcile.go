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
