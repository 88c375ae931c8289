package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/edition"
)

// readableByID is the SQL condition for texts that can be read by id: the texts of the
// catalogue, and superseded editions, because answers have cited them.
const readableByID = `(NOT d.in_review OR d.superseded_by IS NOT NULL)`

// EditionField is the field of the doubt that a text may be an edition of another text.
const EditionField = "edition"

// lockTexts serializes the writers of visible texts: each must see the editions and changes
// that the previous one derived, and two would deadlock on each other's texts. A
// transaction takes this lock after the rows of files and before the rows of texts; the
// lock of the catalogue comes last.
func lockTexts(ctx context.Context, tx pgx.Tx) error {
	const textsLock = 0x7669677565757232 // "vigueur2", an arbitrary constant
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(textsLock))
	return err
}

// settleEditions compares each of the given texts, which just entered the catalogue, with
// the other editions there. If two are certainly the same text, it keeps the better one, or
// the earlier one if they are equally good. If doubts is set, it puts a text in review that
// may be an edition of another. It returns the ids of the texts that it changed. The caller
// holds lockTexts.
func settleEditions(ctx context.Context, tx pgx.Tx, documents []uuid.UUID, doubts bool) (changed []uuid.UUID, err error) {
	for _, id := range documents {
		touched, err := settleEdition(ctx, tx, id, doubts)
		if err != nil {
			return nil, fmt.Errorf("editions of %s: %w", id, err)
		}
		changed = append(changed, touched...)
	}
	return changed, nil
}

func settleEdition(ctx context.Context, tx pgx.Tx, id uuid.UUID, doubts bool) ([]uuid.UUID, error) {
	others, err := possibleEditions(ctx, tx, id)
	if err != nil || len(others) == 0 {
		return nil, err
	}
	own, err := loadEdition(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		e, err := loadEdition(ctx, tx, other.ID)
		if err != nil {
			return nil, err
		}
		switch like := edition.Compare(own, e); {
		case like == edition.Doubtful && doubts:
			return []uuid.UUID{id}, doubtEdition(ctx, tx, id, other)
		case like == edition.Same && edition.Better(own, e):
			return supersede(ctx, tx, other.ID, id)
		case like == edition.Same:
			return supersede(ctx, tx, id, other.ID)
		}
	}
	return nil, nil
}

// possibleEditions lists the texts of other files that have the same type as a text and the
// same date or number.
func possibleEditions(ctx context.Context, tx pgx.Tx, id uuid.UUID) ([]law.Document, error) {
	all, err := collect(ctx, tx, scanDocument, `SELECT `+documentColumns+` FROM documents d JOIN documents n ON n.id = $1
		WHERE NOT d.in_review AND NOT d.edition_kept AND NOT n.in_review AND NOT n.edition_kept AND n.numero_officiel <> ''
			AND d.ingestion_id <> n.ingestion_id
			AND (d.promulgated_on = n.promulgated_on OR lower(d.numero_officiel) = lower(n.numero_officiel))
		ORDER BY d.created_at, d.id`, id)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var number string
	if err := tx.QueryRow(ctx, `SELECT numero_officiel FROM documents WHERE id = $1`, id).Scan(&number); err != nil {
		return nil, err
	}
	var possible []law.Document
	for _, d := range all {
		if edition.Key(d.OfficialNumber) == edition.Key(number) {
			possible = append(possible, d)
		}
	}
	return possible, nil
}

// loadEdition reads a text as an edition.Edition, for comparison.
func loadEdition(ctx context.Context, tx pgx.Tx, id uuid.UUID) (edition.Edition, error) {
	var d law.Document
	var body string
	var recognized float64
	err := tx.QueryRow(ctx, `SELECT coalesce((SELECT string_agg(a.body, E'\n' ORDER BY a.position) FROM articles a WHERE a.document_id = d.id AND `+ownArticle+`), ''),
			coalesce((SELECT avg(CASE WHEN p.source = 'layer' THEN 0 ELSE 1 END) FROM ingestion_pages p
				WHERE p.ingestion_id = d.ingestion_id AND p.number BETWEEN d.first_page AND d.last_page), 0)::float8,
			`+documentColumns+` FROM documents d WHERE d.id = $1`, id).
		Scan(append([]any{&body, &recognized}, documentFields(&d)...)...)
	return edition.New(d, body, recognized), err
}

// doubtEdition puts a text in review because it may be an edition of other.
func doubtEdition(ctx context.Context, tx pgx.Tx, id uuid.UUID, other law.Document) error {
	doubt := law.Doubt{Field: EditionField, Confidence: 0.5, Reason: fmt.Sprintf("Ce texte est peut-être une autre édition de « %s » (%s), qui est au catalogue. "+
		"L’accepter garde les deux ; l’accepter avec remplace=%s le met à sa place ; le rejeter garde l’autre.", law.Clip(other.Title, 120), other.ID, other.ID)}
	_, err := tx.Exec(ctx, `UPDATE documents SET in_review = true, doubts = doubts || $2::jsonb WHERE id = $1`, id, []law.Doubt{doubt})
	return err
}

// supersede replaces an old edition by its successor. The old one is no longer listed,
// searched or cited, and its relations no longer count, since the successor has the same
// relations. It returns the ids of all texts that changed.
func supersede(ctx context.Context, tx pgx.Tx, old, successor uuid.UUID) (changed []uuid.UUID, err error) {
	if changed, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `DELETE FROM relation_targets t USING relations r
		WHERE r.id = t.relation_id AND r.source_id = $1 RETURNING t.document_id`, old); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, `UPDATE documents SET in_review = true, superseded_by = $2 WHERE id = $1`, old, successor); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, `UPDATE documents SET repealed_by = $2 WHERE repealed_by = $1 AND status_by_hand`, old, successor); err != nil {
		return nil, err
	}
	err = audit(ctx, tx, TextSuperseded, old.String(), details{"superseded_by": successor})
	return append(changed, old, successor), err
}

// supersedeByHand applies a person's decision that an edition supersedes an old one. If old
// is nil, it does nothing. Conflict if old is not in the catalogue.
func supersedeByHand(ctx context.Context, tx pgx.Tx, old *uuid.UUID, successor uuid.UUID) ([]uuid.UUID, error) {
	if old == nil {
		return nil, nil
	}
	err := tx.QueryRow(ctx, `SELECT id FROM documents WHERE id = $1 AND id <> $2 AND NOT in_review FOR UPDATE`, *old, successor).Scan(new(uuid.UUID))
	if errs.Is(classify("", err), errs.NotFound) {
		return nil, errs.New(errs.Conflict, "Le texte à remplacer n’est pas au catalogue.")
	}
	if err != nil {
		return nil, err
	}
	return supersede(ctx, tx, *old, successor)
}

// restoreEditions returns to the catalogue the texts that the given successors superseded,
// and returns their ids. It is called before the successors are removed.
func restoreEditions(ctx context.Context, tx pgx.Tx, successors []uuid.UUID) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `UPDATE documents SET in_review = false, superseded_by = NULL WHERE superseded_by = ANY($1) RETURNING id`, successors)
}

// Superseded is a text that another edition has superseded.
type Superseded struct {
	Document law.Document
	By       law.Document
}

// AllSuperseded lists the superseded texts, newest promulgation first.
func (db *DB) AllSuperseded(ctx context.Context, limit int) ([]Superseded, error) {
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (s Superseded, err error) {
		err = r.Scan(append(documentFields(&s.Document), &s.By.ID, &s.By.Title)...)
		return s, err
	}, `SELECT `+documentColumns+`, b.id, b.title FROM documents d JOIN documents b ON b.id = d.superseded_by
		ORDER BY d.promulgated_on DESC, d.id LIMIT $1`, limit)
	return list, classify("superseded texts", err)
}

// supersession is a text that another edition of it has superseded.
type supersession struct{ old, by uuid.UUID }

// supersessionsOf lists the supersessions whose old or new edition is a text of the file.
func supersessionsOf(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) ([]supersession, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (p supersession, err error) {
		err = r.Scan(&p.old, &p.by)
		return p, err
	}, `SELECT d.id, d.superseded_by FROM documents d JOIN documents b ON b.id = d.superseded_by
		WHERE d.ingestion_id = $1 OR b.ingestion_id = $1 ORDER BY d.id`, ingestion)
}

// restoreSupersessions restores supersessions after a file was segmented again. A person
// decided on these pairs before, so they must not wait in review as possible editions
// again. Pairs that are certainly editions of one text need no restoring: they are compared
// again, possibly with another result. It returns the texts that changed.
func restoreSupersessions(ctx context.Context, tx pgx.Tx, previous []supersession) (changed []uuid.UUID, err error) {
	for _, p := range previous {
		// One text of the pair is in review; the other is in the catalogue.
		asked, err := collect(ctx, tx, pgx.RowTo[bool], `UPDATE documents d SET doubts = jsonb_path_query_array(d.doubts, '$[*] ? (@.field != "edition")'),
				in_review = jsonb_path_exists(d.doubts, '$[*] ? (@.field != "edition")')
			FROM documents o WHERE (d.id, o.id) IN (($1, $2), ($2, $1)) AND d.in_review AND d.superseded_by IS NULL AND NOT o.in_review
				AND d.doubts @> '[{"field": "edition"}]' RETURNING d.in_review`, p.old, p.by)
		if err != nil {
			return nil, err
		}
		if len(asked) == 0 {
			continue
		}
		touched, err := supersede(ctx, tx, p.old, p.by)
		if err != nil {
			return nil, err
		}
		changed = append(changed, touched...)
	}
	return changed, nil
}
