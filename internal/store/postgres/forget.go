package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// ForgetIngestion deletes a file that has ended without texts, and its pages, so that it
// can be added again as if it were new. It returns the hash of the file's bytes, which no
// row references any more. NotFound if there is no such file; Conflict if the file waits,
// is being processed or has texts.
func (db *DB) ForgetIngestion(ctx context.Context, id uuid.UUID) (orphan string, err error) {
	err = db.inTx(ctx, "forget ingestion "+id.String(), func(tx pgx.Tx) error {
		var state string
		var texts bool
		err := tx.QueryRow(ctx, `SELECT state, EXISTS (SELECT FROM documents WHERE ingestion_id = i.id), sha256 FROM ingestions i
			WHERE i.id = $1 FOR UPDATE`, id).Scan(&state, &texts, &orphan)
		switch {
		case err != nil:
			return err
		case state == "queued" || state == "running":
			return errs.New(errs.Conflict, "Ce fichier est encore en traitement : annulez-le d’abord.")
		case texts:
			return errs.New(errs.Conflict, "Ce fichier a donné des textes : ce sont eux qu’il faut supprimer ou rejeter.")
		}
		if _, err := tx.Exec(ctx, `DELETE FROM ingestions WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, FileForgotten, id.String(), details{"sha256": orphan, "state": state})
	})
	if err != nil {
		return "", err
	}
	return orphan, nil
}
