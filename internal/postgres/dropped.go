package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// rememberDropped keeps that a person has taken a text away, so that another cut
// of its file does not bring it back. It comes before the text goes.
func rememberDropped(ctx context.Context, tx pgx.Tx, document uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO dropped_texts (ingestion_id, document_id, begins, first_page, printed)
		SELECT d.ingestion_id, d.id, d.begins, d.first_page, `+printedTitle+` FROM documents d WHERE d.id = $1
		ON CONFLICT (ingestion_id, document_id) DO UPDATE SET begins = EXCLUDED.begins, first_page = EXCLUDED.first_page, printed = EXCLUDED.printed`, document)
	return err
}

// dropAgain takes the texts of a file away that persons have taken away before. A
// text is known as in reapplyEdits, but never by its page alone.
func dropAgain(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM documents d USING dropped_texts s WHERE d.ingestion_id = $1 AND s.ingestion_id = $1
		AND (s.begins <> '' OR s.printed <> '') AND `+sameText, ingestion)
	return err
}

// sameText tells whether a text d of the file $1 is the one that s was: it begins
// with the same line, or, where no text of the file does, on the same page with the
// same printed title.
const sameText = `(s.begins <> '' AND d.begins = s.begins
	OR d.first_page = s.first_page AND ` + printedTitle + ` = s.printed
		AND NOT EXISTS (SELECT FROM documents e WHERE e.ingestion_id = $1 AND e.begins <> '' AND e.begins = s.begins))`
