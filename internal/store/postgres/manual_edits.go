package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Changes that people have made by hand to the texts of a file survive when the file is
// segmented again: metadata, statuses, and the targets of relations. A new text is the same
// as an old one if both begin on the same line, else if both have the same first page and
// printed title, whatever texts precede them. A relation is recognized by its id and the
// words that it was read from. If an edit of lines changed a field after the manual change,
// the field keeps the edit's value: the later change wins.

// printedTitle selects the printed words that a text's title was read from.
const printedTitle = `coalesce(jsonb_path_query_first(d.evidence, '$[*] ? (@.field == "title").words') #>> '{}', '')`

// manualEdits holds the changes that people have made by hand to the texts of a file, as
// JSON that only the database reads.
type manualEdits struct {
	texts   []byte // texts of the file with manual changes, and the ids of relations to them that a person chose
	settled []byte // relations of the file's texts whose targets a person chose
	repeals []byte // texts of other files for which a person set a text of this file as the repealing one
}

// loadManualEdits reads the changes that people have made by hand to the texts of a file.
func loadManualEdits(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) (s manualEdits, err error) {
	err = tx.QueryRow(ctx, `WITH meant AS (SELECT t.document_id, jsonb_agg(r.id) AS relations
			FROM relation_targets t JOIN relations r ON r.id = t.relation_id AND r.by_hand
			WHERE t.document_id IN (SELECT id FROM documents WHERE ingestion_id = $1) GROUP BY t.document_id)
		SELECT coalesce(jsonb_agg(jsonb_build_object('begins', d.begins, 'edited', d.edited, 'first_page', d.first_page, 'printed', `+printedTitle+`,
			'title', d.title, 'doc_type', d.doc_type, 'nature', d.nature, 'domaine', d.domaine, 'numero_officiel', d.numero_officiel,
			'promulgated_on', d.promulgated_on, 'in_force_on', d.in_force_on, 'edition_kept', d.edition_kept, 'by_hand', d.by_hand,
			'status_by_hand', d.status_by_hand, 'statut', d.statut, 'repealed_by', d.repealed_by, 'repealed_on', d.repealed_on,
			'relations', coalesce(m.relations, '[]'))), '[]')
		FROM documents d LEFT JOIN meant m ON m.document_id = d.id
		WHERE d.ingestion_id = $1 AND (d.by_hand OR d.status_by_hand OR m.relations IS NOT NULL)`, ingestion).Scan(&s.texts)
	if err != nil {
		return s, err
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'target_number', r.target_number,
			'target_title', r.target_title, 'targets', ARRAY(SELECT t.document_id FROM relation_targets t WHERE t.relation_id = r.id))), '[]')
		FROM relations r JOIN documents d ON d.id = r.source_id WHERE d.ingestion_id = $1 AND r.by_hand`, ingestion).Scan(&s.settled)
	if err != nil {
		return s, err
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'by', d.id)), '[]')
		FROM documents d JOIN documents o ON o.repealed_by = d.id AND o.status_by_hand AND o.ingestion_id <> d.ingestion_id
		WHERE d.ingestion_id = $1`, ingestion).Scan(&s.repeals)
	return s, err
}

// reapplyManualEdits applies the manual edits to the file's new texts, and returns the
// texts that a person had accepted: they do not wait in review again, except the texts in
// reopened, which have new doubts.
func reapplyManualEdits(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, s manualEdits, reopened []uuid.UUID) ([]uuid.UUID, error) {
	later := func(field, column string) string {
		return `CASE WHEN s.by_hand AND d.edited->>'` + field + `' IS NOT DISTINCT FROM s.edited->>'` + field + `' THEN s.` + column + ` ELSE d.` + column + ` END`
	}
	accepted, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `WITH s AS (SELECT begins, edited, first_page, printed, title, doc_type, nature, domaine, numero_officiel, promulgated_on, in_force_on,
				edition_kept, by_hand, status_by_hand, statut, repealed_by, repealed_on, relations
			FROM jsonb_to_recordset($2) AS s (begins text, edited jsonb, first_page integer, printed text, title text, doc_type text, nature text, domaine text,
				numero_officiel text, promulgated_on date, in_force_on date, edition_kept boolean, by_hand boolean,
				status_by_hand boolean, statut text, repealed_by uuid, repealed_on date, relations uuid[])),
		told AS (UPDATE documents d SET edition_kept = s.edition_kept, by_hand = s.by_hand, status_by_hand = s.status_by_hand,
			title = `+later("title", "title")+`,
			doc_type = `+later("doc_type", "doc_type")+`,
			nature = CASE WHEN s.by_hand THEN s.nature ELSE d.nature END,
			domaine = CASE WHEN s.by_hand THEN s.domaine ELSE d.domaine END,
			numero_officiel = `+later("numero_officiel", "numero_officiel")+`,
			promulgated_on = `+later("date_promulgation", "promulgated_on")+`,
			in_force_on = CASE WHEN s.by_hand THEN s.in_force_on ELSE d.in_force_on END,
			settled = CASE WHEN s.by_hand AND d.in_review AND NOT d.id = ANY($3) THEN `+reviewSnapshot+` END,
			in_review = d.in_review AND (NOT s.by_hand OR d.id = ANY($3)),
			doubts = CASE WHEN NOT s.by_hand THEN d.doubts
				WHEN d.id = ANY($3) THEN jsonb_path_query_array(d.doubts, '$[*] ? (@.field == "correction")') ELSE '[]' END,
			statut = CASE WHEN s.status_by_hand THEN s.statut ELSE d.statut END,
			repealed_by = CASE WHEN s.status_by_hand THEN (SELECT r.id FROM documents r WHERE r.id = s.repealed_by) ELSE d.repealed_by END,
			repealed_on = CASE WHEN s.status_by_hand THEN s.repealed_on ELSE d.repealed_on END
			FROM s WHERE d.ingestion_id = $1 AND `+sameText+`
				AND NOT (d.begins <> s.begins AND EXISTS (SELECT FROM s o WHERE o.begins <> '' AND o.begins = d.begins))
			RETURNING d.id, d.by_hand AND NOT d.in_review AS accepted, s.relations),
		tied AS (INSERT INTO relation_targets (relation_id, document_id)
			SELECT r.id, told.id FROM told JOIN relations r ON r.id = ANY(told.relations) AND r.by_hand ON CONFLICT DO NOTHING)
		SELECT id FROM told WHERE accepted`, ingestion, s.texts, reopened)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `WITH s AS (SELECT id, kind, target_number, target_title, targets
			FROM jsonb_to_recordset($2) AS s (id uuid, kind text, target_number text, target_title text, targets uuid[])),
		told AS (UPDATE relations r SET by_hand = true FROM s, documents d WHERE r.id = s.id AND d.id = r.source_id AND d.ingestion_id = $1
			AND r.kind = s.kind AND r.target_number = s.target_number AND r.target_title = s.target_title RETURNING r.id, s.targets)
		INSERT INTO relation_targets (relation_id, document_id)
		SELECT told.id, d.id FROM told JOIN documents d ON d.id = ANY(told.targets) ON CONFLICT DO NOTHING`, ingestion, s.settled)
	if err != nil {
		return nil, err
	}
	return accepted, restoreRepeals(ctx, tx, s)
}

// restoreRepeals restores the repeals of other files' texts for which a person had set a
// text of this file as the repealing one. If that text no longer exists, a repeal on a
// later day is void.
func restoreRepeals(ctx context.Context, tx pgx.Tx, s manualEdits) error {
	_, err := tx.Exec(ctx, `UPDATE documents o SET repealed_by = d.id, repealed_on = CASE WHEN d.id IS NOT NULL OR o.statut = 'abroge' THEN o.repealed_on END
		FROM jsonb_to_recordset($1) AS s (id uuid, by uuid) LEFT JOIN documents d ON d.id = s.by WHERE o.id = s.id`, s.repeals)
	return err
}

// SettledByHand reports whether a person has changed the text of a file that begins at the
// given line. begins has the form of documents.begins.
func (db *DB) SettledByHand(ctx context.Context, ingestion uuid.UUID, begins string) (settled bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents WHERE ingestion_id = $1 AND begins = $2 AND (by_hand OR status_by_hand))`,
		ingestion, begins).Scan(&settled)
	return settled, classify("text at "+begins+" of file "+ingestion.String(), err)
}
