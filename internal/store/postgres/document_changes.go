package postgres

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// StatusChange is an editor's decision about the status of a text. The zero value changes
// nothing.
type StatusChange struct {
	Status     *law.Status
	RepealedBy *uuid.UUID // repealing text, in the catalogue
	Unrepealed bool       // no text repeals the changed one
	Derive     bool       // discard the earlier decision and derive the status from relations again
}

func (c StatusChange) byHand() bool {
	return c.Status != nil || c.RepealedBy != nil || c.Unrepealed
}

// fields lists the names of the changed fields, for the audit log.
func (c StatusChange) fields() (names []string) {
	if c.Status != nil || c.Derive {
		names = append(names, "statut")
	}
	if c.RepealedBy != nil || c.Unrepealed {
		names = append(names, "abroge_par")
	}
	return names
}

// ChangeDocument changes a text of the catalogue and returns its new state. It resolves
// relations again and notifies the catalogue's followers. A status that s sets stays,
// whatever relations are found later, until a change with Derive.
func (db *DB) ChangeDocument(ctx context.Context, id uuid.UUID, c DocumentChange, s StatusChange) (d law.Document, err error) {
	err = db.inTx(ctx, "change document "+id.String(), func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, id); err != nil {
			return err
		}
		if err := setStatus(ctx, tx, id, s); err != nil {
			return err
		}
		if d, err = db.changeDocument(ctx, tx, id, c, false); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentChanged, id.String(), details{"fields": append(c.fields(), s.fields()...)})
	})
	return d, err
}

// lockDocument locks first the file of a text of the catalogue and then the text, as every
// writer of texts does.
func lockDocument(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	err := tx.QueryRow(ctx, `SELECT i.id FROM ingestions i JOIN documents d ON d.ingestion_id = i.id
		WHERE d.id = $1 AND NOT d.in_review FOR UPDATE OF i`, id).Scan(new(uuid.UUID))
	if err != nil {
		return err
	}
	if err := lockTexts(ctx, tx); err != nil {
		return err
	}
	return tx.QueryRow(ctx, `SELECT id FROM documents WHERE id = $1 AND NOT in_review FOR UPDATE`, id).Scan(new(uuid.UUID))
}

// setStatus stores an editor's decision. A repeal begins on the first day in force of the
// repealing text, or today if the decision names no text; until that day the repealed text
// is in force, unless the decision sets another status. A text that the decision declares
// in force has no other end.
func setStatus(ctx context.Context, tx pgx.Tx, id uuid.UUID, s StatusChange) error {
	if s.Derive {
		_, err := tx.Exec(ctx, `UPDATE documents SET status_by_hand = false WHERE id = $1`, id)
		return err
	}
	if !s.byHand() {
		return nil
	}
	_, err := tx.Exec(ctx, `WITH said AS (SELECT coalesce($2, CASE WHEN r.in_force_on <= t.day THEN 'abroge'
				WHEN (r.id IS NOT NULL OR $4) AND d.statut = 'abroge' THEN 'en_vigueur' ELSE d.statut END) AS statut,
			CASE WHEN $4 THEN NULL ELSE coalesce($3, d.repealed_by) END AS repealed_by,
			CASE WHEN $2 = 'abroge' THEN least(coalesce(r.in_force_on, d.repealed_on), t.day)
				ELSE coalesce(r.in_force_on, least(d.repealed_on, t.day), t.day) END AS repealed_on
			FROM documents d CROSS JOIN LATERAL (SELECT law_day(now(), d.countries) AS day) t LEFT JOIN documents r ON r.id = $3::uuid WHERE d.id = $1)
		UPDATE documents d SET status_by_hand = true, statut = said.statut,
			repealed_by = CASE WHEN said.statut = 'abroge' OR $3 IS NOT NULL THEN said.repealed_by END,
			repealed_on = CASE WHEN said.statut = 'abroge' OR $3 IS NOT NULL THEN said.repealed_on END
		FROM said WHERE d.id = $1`, id, s.Status, s.RepealedBy, s.Unrepealed)
	return err
}

// DeleteDocument removes a text from the catalogue. The status of the texts that it
// repealed or amended is derived again without it, and an edition that it had superseded is
// restored. If the file has no other text, the file is deleted too, so that it can be added
// again. orphan is then the hash of the file's bytes, which no row references any more;
// else "".
func (db *DB) DeleteDocument(ctx context.Context, id uuid.UUID) (orphan string, err error) {
	err = db.inTx(ctx, "delete document "+id.String(), func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, id); err != nil {
			return err
		}
		ingestion, err := db.deleteText(ctx, tx, id)
		if err != nil {
			return err
		}
		if orphan, err = dropEmptyFile(ctx, tx, ingestion); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentDeleted, id.String(), details{"ingestion_id": ingestion})
	})
	return orphan, err
}

// deleteText deletes a locked text that is in the catalogue or superseded, and derives again
// what depends on it. It returns the text's file.
func (db *DB) deleteText(ctx context.Context, tx pgx.Tx, id uuid.UUID) (ingestion uuid.UUID, err error) {
	affected, err := touchedBy(ctx, tx, id)
	if err != nil {
		return ingestion, err
	}
	before, err := affectedRelations(ctx, tx, []uuid.UUID{id})
	if err != nil {
		return ingestion, err
	}
	restored, err := restoreEditions(ctx, tx, []uuid.UUID{id})
	if err != nil {
		return ingestion, err
	}
	if err := recordRemoved(ctx, tx, id); err != nil {
		return ingestion, err
	}
	if err := recordWithdrawn(ctx, tx, id); err != nil {
		return ingestion, err
	}
	// A repeal by this text on a later day, which an editor set, is void.
	if _, err := tx.Exec(ctx, `UPDATE documents SET repealed_on = NULL WHERE repealed_by = $1 AND status_by_hand AND statut <> 'abroge'`, id); err != nil {
		return ingestion, err
	}
	if err := tx.QueryRow(ctx, `DELETE FROM documents WHERE id = $1 RETURNING ingestion_id`, id).Scan(&ingestion); err != nil {
		return ingestion, err
	}
	// A relation that could mean two texts may now mean a single one.
	after, err := affectedRelations(ctx, tx, restored)
	if err != nil {
		return ingestion, err
	}
	relations := union(before, after)
	if err := makeNames(ctx, tx, restored); err != nil {
		return ingestion, err
	}
	tied, err := db.resolveRelations(ctx, tx, relations, nil)
	if err != nil {
		return ingestion, err
	}
	return ingestion, derive(ctx, tx, slices.Concat(affected, restored, tied, []uuid.UUID{id}), relations)
}

// touchedBy lists the texts whose status depends on the text.
func touchedBy(ctx context.Context, tx pgx.Tx, id uuid.UUID) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT t.document_id FROM relation_targets t JOIN relations r ON r.id = t.relation_id WHERE r.source_id = $1
		UNION SELECT id FROM documents WHERE repealed_by = $1`, id)
}

// dropEmptyFile deletes a file that has ended and has no texts left, and returns the hash
// of its bytes; "" if the file stays.
func dropEmptyFile(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) (sha string, err error) {
	all, err := collect(ctx, tx, pgx.RowTo[string], `DELETE FROM ingestions WHERE id = $1 AND state NOT IN ('queued', 'running')
		AND NOT EXISTS (SELECT FROM documents WHERE ingestion_id = $1) RETURNING sha256`, ingestion)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return all[0], nil
}

// ReindexDocument notifies the catalogue's followers of a text, so that they index it
// again.
func (db *DB) ReindexDocument(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "reindex document "+id.String(), func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, id); err != nil {
			return err
		}
		if err := announce(ctx, tx, []uuid.UUID{id}); err != nil {
			return err
		}
		return audit(ctx, tx, DocumentIndexed, id.String(), nil)
	})
}
