package postgres

import "context"

// NamedTexts lists all texts of the catalogue, ordered by id. Only the laboratory uses it, to examine a whole
// catalogue; the service looks up texts with NamedBy.
func (db *DB) NamedTexts(ctx context.Context) ([]NamedText, error) {
	rows, err := db.pool.Query(ctx, `SELECT `+namedColumns+` FROM documents d WHERE NOT d.in_review ORDER BY d.id`)
	if err != nil {
		return nil, classify("named texts", err)
	}
	texts, err := collectNamed(rows)
	return texts, classify("named texts", err)
}
