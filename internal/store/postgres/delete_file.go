package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// DeleteFile deletes a file that is not being processed, with its pages, its edits and its
// texts, those in review too. The texts that they repealed, amended or superseded become
// what they were, as with DeleteDocument. It returns the hash of the file's bytes, which no
// row references any more. NotFound if there is no such file; Conflict if the file waits or
// is being processed.
func (db *DB) DeleteFile(ctx context.Context, id uuid.UUID) (orphan string, err error) {
	err = db.inTx(ctx, "delete ingestion "+id.String(), func(tx pgx.Tx) error {
		var state string
		if err := tx.QueryRow(ctx, `SELECT state, sha256 FROM ingestions WHERE id = $1 FOR UPDATE`, id).Scan(&state, &orphan); err != nil {
			return err
		}
		if state == "queued" || state == "running" {
			return errs.New(errs.Conflict, "Ce fichier est encore en traitement : annulez-le d’abord.")
		}
		if err := lockTexts(ctx, tx); err != nil {
			return err
		}
		texts, err := collect(ctx, tx, pgx.RowToStructByPos[struct {
			ID       uuid.UUID
			Readable bool
		}], `SELECT id, NOT in_review OR superseded_by IS NOT NULL FROM documents WHERE ingestion_id = $1 ORDER BY id FOR UPDATE`, id)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if !text.Readable {
				continue // nothing depends on it, so it is deleted with the file
			}
			if _, err := db.deleteText(ctx, tx, text.ID); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `DELETE FROM ingestions WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, FileForgotten, id.String(), details{"sha256": orphan, "state": state, "texts": len(texts)})
	})
	if err != nil {
		return "", err
	}
	return orphan, nil
}
