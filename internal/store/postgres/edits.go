package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Edit is an editor's correction of lines of a file. An Edit never changes; an undone one
// is kept for the record.
type Edit struct {
	ID        uuid.UUID
	Position  int // order among the file's edits, from 1
	Kind      string
	Payload   json.RawMessage // gazette.Edit as JSON
	Fault     string          // why the last segmentation could not apply the edit, in French; "" if it did
	By        *uuid.UUID      // editor; nil: the command line
	Email     string          // e-mail address that the account has now
	CreatedAt time.Time
	UndoneAt  *time.Time
}

// maxEdits is the maximum number of edits of a file: a person makes hundreds at most, and
// each segmentation applies them all.
const maxEdits = 5000

// AddEdit adds an edit, with its ID, Kind and Payload, to a file, and queues the file to be
// segmented again from its saved pages. Conflict while the file is being processed, or if
// none of its pages could be read.
func (db *DB) AddEdit(ctx context.Context, ingestion uuid.UUID, e Edit) (made Edit, err error) {
	err = db.inTx(ctx, "edit ingestion "+ingestion.String(), func(tx pgx.Tx) error {
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, `INSERT INTO ingestion_edits (id, ingestion_id, position, kind, payload, created_by)
			SELECT $1, $2, coalesce(max(position), 0) + 1, $3, $4, $5 FROM ingestion_edits WHERE ingestion_id = $2
			RETURNING position`, e.ID, ingestion, e.Kind, e.Payload, actorOf(ctx)).Scan(&e.Position)
		if err != nil {
			return err
		}
		if e.Position > maxEdits {
			return errs.Newf(errs.Conflict, "Ce fichier a déjà %d corrections : il n’en prend pas davantage.", maxEdits)
		}
		if made, err = editOf(ctx, tx, ingestion, e.ID); err != nil {
			return err
		}
		return audit(ctx, tx, FileEdited, ingestion.String(), details{"edit_id": e.ID, "kind": e.Kind})
	})
	return made, err
}

// UndoEdit undoes an edit and queues the file to be segmented again. NotFound if the file
// has no such edit; Conflict if the edit is already undone, and in the cases of AddEdit.
func (db *DB) UndoEdit(ctx context.Context, ingestion, edit uuid.UUID) error {
	return db.inTx(ctx, "undo edit "+edit.String(), func(tx pgx.Tx) error {
		e, err := editOf(ctx, tx, ingestion, edit)
		if err != nil {
			return err
		}
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		if err := execOne(ctx, tx, errs.New(errs.Conflict, "Cette correction est déjà annulée."), `UPDATE ingestion_edits SET undone_at = now(), undone_by = $2, fault = '' WHERE id = $1 AND undone_at IS NULL`, edit, actorOf(ctx)); err != nil {
			return err
		}
		return audit(ctx, tx, EditUndone, ingestion.String(), details{"edit_id": edit, "kind": e.Kind})
	})
}

// ResegmentIngestion queues a file to be segmented again from its saved pages, as after an
// edit. The errors are those of AddEdit.
func (db *DB) ResegmentIngestion(ctx context.Context, ingestion uuid.UUID) error {
	return db.inTx(ctx, "segment ingestion again "+ingestion.String(), func(tx pgx.Tx) error {
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		return audit(ctx, tx, FileResegmented, ingestion.String(), nil)
	})
}

// queueResegmentation locks a file's row and queues the file to be segmented again. If it
// is already queued for that, nothing needs to be done: the segmentation reads all edits.
// The count of attempts starts again, as after a retry.
func queueResegmentation(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	var state string
	var recut bool
	var pages int
	err := tx.QueryRow(ctx, `SELECT state, recut, pages_done FROM ingestions WHERE id = $1 FOR UPDATE`, ingestion).Scan(&state, &recut, &pages)
	switch {
	case err != nil:
		return err
	case state == "running" || state == "queued" && !recut:
		return errs.New(errs.Conflict, "Ce fichier est en cours de traitement ; réessayez quand il aura fini.")
	case pages == 0:
		return errs.New(errs.Conflict, "Aucune page de ce fichier n’a été lue : il ne peut pas être découpé.")
	case state == "queued":
		return nil
	}
	_, err = tx.Exec(ctx, `UPDATE ingestions SET state = 'queued', stage = 'queued', recut = true, error = '', cancel_requested = false, hints = 0,
		attempt_floor = attempt, failures = 0, not_before = '-infinity', lease_until = now(), updated_at = now() WHERE id = $1`, ingestion)
	return err
}

const editQuery = `SELECT e.id, e.position, e.kind, e.payload, e.fault, e.created_by, coalesce(u.email, ''), e.created_at, e.undone_at
	FROM ingestion_edits e LEFT JOIN users u ON u.id = e.created_by WHERE e.ingestion_id = $1 `

func editOf(ctx context.Context, tx pgx.Tx, ingestion, edit uuid.UUID) (Edit, error) {
	return one[Edit](ctx, tx, editQuery+`AND e.id = $2`, ingestion, edit)
}

// Edits lists the edits of a file in order, including undone ones.
func (db *DB) Edits(ctx context.Context, ingestion uuid.UUID) ([]Edit, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Edit], editQuery+`ORDER BY e.position`, ingestion)
	return list, classify("edits of "+ingestion.String(), err)
}

// noteFaults records which edits of a file could not be applied, and why.
func noteFaults(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, faults map[uuid.UUID]string) error {
	ids, reasons := make([]uuid.UUID, 0, len(faults)), make([]string, 0, len(faults))
	for id, reason := range faults {
		ids, reasons = append(ids, id), append(reasons, reason)
	}
	_, err := tx.Exec(ctx, `UPDATE ingestion_edits e SET fault = coalesce((SELECT f.reason FROM unnest($2::uuid[], $3::text[]) AS f (id, reason)
		WHERE f.id = e.id), '') WHERE e.ingestion_id = $1 AND e.undone_at IS NULL`, ingestion, ids, reasons)
	return err
}

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
			'title', d.title, 'doc_type', d.doc_type, 'nature', d.nature, 'domaine', d.domaine, 'numero_officiel', d.numero_officiel, 'countries', d.countries,
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
	accepted, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `WITH s AS (SELECT begins, edited, first_page, printed, title, doc_type, nature, domaine, numero_officiel, countries, promulgated_on, in_force_on,
				edition_kept, by_hand, status_by_hand, statut, repealed_by, repealed_on, relations
			FROM jsonb_to_recordset($2) AS s (begins text, edited jsonb, first_page integer, printed text, title text, doc_type text, nature text, domaine text,
				numero_officiel text, countries text[], promulgated_on date, in_force_on date, edition_kept boolean, by_hand boolean,
				status_by_hand boolean, statut text, repealed_by uuid, repealed_on date, relations uuid[])),
		told AS (UPDATE documents d SET edition_kept = s.edition_kept, by_hand = s.by_hand, status_by_hand = s.status_by_hand,
			title = `+later("title", "title")+`,
			doc_type = `+later("doc_type", "doc_type")+`,
			nature = CASE WHEN s.by_hand THEN s.nature ELSE d.nature END,
			domaine = CASE WHEN s.by_hand THEN s.domaine ELSE d.domaine END,
			countries = CASE WHEN s.by_hand AND NOT EXISTS (SELECT FROM ingestions i WHERE i.id = $1 AND i.said_country <> '') THEN s.countries ELSE d.countries END,
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

// SaidOfFile is what a person said of a whole file; empty values say nothing.
type SaidOfFile struct {
	Kind    string // a kind of package gazette
	Country string // whose law its texts are, by the code of the country
}

// SaidOfFile returns what a person said of a file.
func (db *DB) SaidOfFile(ctx context.Context, ingestion uuid.UUID) (said SaidOfFile, err error) {
	err = db.pool.QueryRow(ctx, `SELECT said_kind, said_country FROM ingestions WHERE id = $1`, ingestion).Scan(&said.Kind, &said.Country)
	return said, classify("what was said of "+ingestion.String(), err)
}

// SayOfFile records what a person says of a whole file, and queues the file to be segmented again. Nil values stay as they
// are, empty ones are taken back. The errors are those of AddEdit; Conflict also if a file of which a person says that it
// holds no law (noLaw) has texts in the catalogue. Those in review are rejected.
func (db *DB) SayOfFile(ctx context.Context, ingestion uuid.UUID, kind, country *string, noLaw bool) error {
	return db.inTx(ctx, "say what ingestion "+ingestion.String()+" is", func(tx pgx.Tx) error {
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		if noLaw {
			if err := rejectAll(ctx, tx, ingestion); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `UPDATE ingestions SET said_kind = coalesce($2, said_kind), said_country = coalesce($3, said_country) WHERE id = $1`,
			ingestion, kind, country)
		if err != nil {
			return err
		}
		about := details{}
		if kind != nil {
			about["kind"] = *kind
		}
		if country != nil {
			about["pays"] = *country
		}
		return audit(ctx, tx, FileEdited, ingestion.String(), about)
	})
}

// rejectAll deletes the texts in review of a file that has no text in the catalogue. Unlike rejected texts, they come back
// when a person says that the file holds law after all.
func rejectAll(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	if err := lockTexts(ctx, tx); err != nil {
		return err
	}
	var there bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents WHERE ingestion_id = $1 AND (NOT in_review OR superseded_by IS NOT NULL))`, ingestion).Scan(&there)
	if err != nil {
		return err
	}
	if there {
		return errs.New(errs.Conflict, "Des textes de ce fichier sont au catalogue : retirez-les d’abord.")
	}
	_, err = tx.Exec(ctx, `DELETE FROM documents WHERE ingestion_id = $1`, ingestion)
	return err
}

// SaveGazette stores which issue of a gazette a file is, nil for none, while the attempt holds it.
func (db *DB) SaveGazette(ctx context.Context, ingestion uuid.UUID, attempt int, issue *law.Gazette) error {
	_, err := db.pool.Exec(ctx, `UPDATE ingestions SET gazette = $3 WHERE id = $1 AND attempt = $2`, ingestion, attempt, issue)
	return classify("gazette of "+ingestion.String(), err)
}

// ReviewedFile is a file whose texts persons have settled, as the truth about it.
type ReviewedFile struct {
	ID               uuid.UUID
	Filename, SHA256 string
	Said             SaidOfFile
	Texts            []law.Document
	Articles         []int // of each text, those with a number, annexes left out
	Countries        []string
}

// ReviewedFiles calls yield with each file of which persons have settled something and nothing waits any more, in the order
// in which they were added.
func (db *DB) ReviewedFiles(ctx context.Context, yield func(ReviewedFile) error) error {
	files, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (f ReviewedFile, err error) {
		return f, r.Scan(&f.ID, &f.Filename, &f.SHA256, &f.Said.Kind, &f.Said.Country)
	}, `SELECT i.id, i.filename, i.sha256, i.said_kind, i.said_country FROM ingestions i
		WHERE NOT EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.in_review AND d.superseded_by IS NULL)
		AND (i.said_kind <> '' AND i.state NOT IN ('queued', 'running') OR i.state = 'done' AND (i.said_country <> ''
			OR EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.settled IS NOT NULL)
			OR EXISTS (SELECT FROM ingestion_edits e WHERE e.ingestion_id = i.id AND e.undone_at IS NULL))) ORDER BY i.created_at, i.id`)
	if err != nil {
		return classify("reviewed files", err)
	}
	for _, f := range files {
		var d law.Document
		var articles int
		var countries []string
		rows, err := db.pool.Query(ctx, `SELECT d.doc_type, d.nature, d.numero_officiel, d.promulgated_on, d.title, d.first_page, d.countries,
			(SELECT count(*) FROM articles a WHERE a.document_id = d.id AND a.number <> '' AND a.number NOT LIKE 'Annexe%' AND `+ownArticle+`)
			FROM documents d WHERE d.ingestion_id = $1 ORDER BY d.position`, f.ID)
		if err != nil {
			return classify("reviewed file", err)
		}
		_, err = pgx.ForEachRow(rows, []any{&d.Type, &d.Nature, &d.OfficialNumber, &d.Promulgated, &d.Title, &d.FirstPage, &countries, &articles}, func() error {
			f.Texts, f.Articles, f.Countries = append(f.Texts, d), append(f.Articles, articles), append(f.Countries, countries...)
			return nil
		})
		if err != nil {
			return classify("reviewed file", err)
		}
		if err := yield(f); err != nil {
			return err
		}
	}
	return nil
}
