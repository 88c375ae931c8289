package postgres

import "context"

// NamedTexts lists all texts of the catalogue, in the order of their ids, for the laboratory, which looks at a
// whole catalogue. What questions name is looked up by NamedBy.
func (db *DB) NamedTexts(ctx context.Context) ([]NamedText, error) {
	rows, err := db.pool.Query(ctx, `SELECT `+namedColumns+` FROM documents d WHERE NOT d.in_review ORDER BY d.id`)
	if err != nil {
		return nil, classify("named texts", err)
	}
	texts, err := collectNamed(rows)
	return texts, classify("named texts", err)
}
