package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// recordRemoved records that a person has removed a text, so that segmenting its file again
// does not restore the text. It must be called before the text is deleted.
func recordRemoved(ctx context.Context, tx pgx.Tx, document uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO dropped_texts (ingestion_id, document_id, begins, first_page, printed)
		SELECT d.ingestion_id, d.id, d.begins, d.first_page, `+printedTitle+` FROM documents d WHERE d.id = $1
		ON CONFLICT (ingestion_id, document_id) DO UPDATE SET begins = EXCLUDED.begins, first_page = EXCLUDED.first_page, printed = EXCLUDED.printed`, document)
	return err
}

// removeAgain deletes the new texts of a file that people had removed before. It recognizes
// a text as reapplyManualEdits does, but never by its page alone.
func removeAgain(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM documents d USING dropped_texts s WHERE d.ingestion_id = $1 AND s.ingestion_id = $1
		AND (s.begins <> '' OR s.printed <> '') AND `+sameText, ingestion)
	return err
}

// sameText is the SQL condition that a text d of the file $1 is the same as the removed
// text s: both begin with the same line. If no text of the file begins with that line, it
// is enough that both begin on the same page and have the same printed title.
const sameText = `(s.begins <> '' AND d.begins = s.begins
	OR d.first_page = s.first_page AND ` + printedTitle + ` = s.printed
		AND NOT EXISTS (SELECT FROM documents e WHERE e.ingestion_id = $1 AND e.begins <> '' AND e.begins = s.begins))`
