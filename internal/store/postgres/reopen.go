package postgres

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// reviewSnapshot builds the JSON of a text d in review, from which ReopenText restores the
// text.
const reviewSnapshot = `jsonb_build_object('title', d.title, 'doc_type', d.doc_type, 'nature', d.nature, 'domaine', d.domaine,
	'numero_officiel', d.numero_officiel, 'promulgated_on', d.promulgated_on, 'in_force_on', d.in_force_on,
	'edition_kept', d.edition_kept, 'by_hand', d.by_hand, 'doubts', d.doubts)`

// ReopenText undoes the acceptance of a text: the text waits in review again, outside the
// catalogue, with its doubts and without the values that a person gave to settle them. The
// editions that it superseded are restored, the status of texts that it changed is derived
// again, and the catalogue's followers are notified. NotFound if the catalogue has no such
// text of the file; Conflict if the text was not accepted in review, or while the file is
// being processed.
func (db *DB) ReopenText(ctx context.Context, ingestion, document uuid.UUID) (d law.Document, err error) {
	err = db.inTx(ctx, "reopen text "+document.String(), func(tx pgx.Tx) error {
		if err := lockAccepted(ctx, tx, ingestion, document); err != nil {
			return err
		}
		affected, err := touchedBy(ctx, tx, document)
		if err != nil {
			return err
		}
		before, err := affectedRelations(ctx, tx, []uuid.UUID{document})
		if err != nil {
			return err
		}
		restored, err := restoreEditions(ctx, tx, []uuid.UUID{document})
		if err != nil {
			return err
		}
		if err := putBack(ctx, tx, document); err != nil {
			return err
		}
		if err := db.relink(ctx, tx, document, slices.Concat(affected, restored), before); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE ingestions SET state = 'review', updated_at = now() WHERE id = $1`, ingestion); err != nil {
			return err
		}
		if err := audit(ctx, tx, TextReopened, document.String(), details{"ingestion_id": ingestion}); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT `+documentColumns+` FROM documents d WHERE d.id = $1`, document).Scan(documentFields(&d)...)
	})
	return d, err
}

// lockAccepted locks first the file of an accepted text and then the text, as every writer
// of texts does.
func lockAccepted(ctx context.Context, tx pgx.Tx, ingestion, document uuid.UUID) error {
	var state string
	if err := tx.QueryRow(ctx, `SELECT state FROM ingestions WHERE id = $1 FOR UPDATE`, ingestion).Scan(&state); err != nil {
		return err
	}
	if err := lockTexts(ctx, tx); err != nil {
		return err
	}
	var accepted bool
	err := tx.QueryRow(ctx, `SELECT settled IS NOT NULL FROM documents WHERE id = $1 AND ingestion_id = $2 AND NOT in_review FOR UPDATE`,
		document, ingestion).Scan(&accepted)
	switch {
	case err != nil:
		return err
	case state != "done" && state != "review":
		return errs.New(errs.Conflict, "Ce fichier est encore en traitement ; ses textes ne peuvent pas être remis en revue maintenant.")
	case !accepted:
		return errs.New(errs.Conflict, "Ce texte n’a pas été accepté en revue : il n’y a rien à défaire.")
	}
	return nil
}

// putBack restores a text as it was in review. Its changes to other texts are no longer in
// effect, whoever linked them.
func putBack(ctx context.Context, tx pgx.Tx, document uuid.UUID) error {
	for _, statement := range []string{
		`DELETE FROM relation_targets t USING relations r WHERE r.id = t.relation_id AND r.source_id = $1`,
		`UPDATE relations r SET by_hand = false,
			effective_on = CASE WHEN r.effective_on = d.in_force_on THEN (d.settled ->> 'in_force_on')::date ELSE r.effective_on END
			FROM documents d WHERE d.id = $1 AND r.source_id = d.id`,
		`UPDATE documents d SET in_review = true, settled = NULL, doubts = s.doubts, edition_kept = s.edition_kept, by_hand = s.by_hand,
			title = s.title, doc_type = s.doc_type, nature = s.nature, domaine = s.domaine, numero_officiel = s.numero_officiel,
			promulgated_on = s.promulgated_on, in_force_on = s.in_force_on
			FROM documents o CROSS JOIN LATERAL jsonb_to_record(o.settled) AS s (title text, doc_type text, nature text, domaine text,
				numero_officiel text, promulgated_on date, in_force_on date, edition_kept boolean, by_hand boolean, doubts jsonb)
			WHERE d.id = $1 AND o.id = d.id`,
	} {
		if _, err := tx.Exec(ctx, statement, document); err != nil {
			return err
		}
	}
	return nil
}
