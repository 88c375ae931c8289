package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// replaced is a text whose place another edition of it has taken.
type replaced struct{ old, by uuid.UUID }

// replacedOf lists the texts whose place was taken where a text of the file is the
// old edition or the new one.
func replacedOf(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) ([]replaced, error) {
	rows, err := tx.Query(ctx, `SELECT d.id, d.superseded_by FROM documents d JOIN documents b ON b.id = d.superseded_by
		WHERE d.ingestion_id = $1 OR b.ingestion_id = $1 ORDER BY d.id`, ingestion)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (p replaced, err error) {
		err = r.Scan(&p.old, &p.by)
		return p, err
	})
}

// replaceAgain settles editions as they were settled before the file was cut again,
// where it would now be asked about: a person has answered that already. What is
// certain is found anew, and may be found otherwise. It returns the texts that
// changed.
func replaceAgain(ctx context.Context, tx pgx.Tx, before []replaced) (changed []uuid.UUID, err error) {
	for _, p := range before {
		// Either of the two asks; the other is in the catalogue, and asks nothing.
		rows, err := tx.Query(ctx, `UPDATE documents d SET doubts = jsonb_path_query_array(d.doubts, '$[*] ? (@.field != "edition")'),
				in_review = jsonb_path_exists(d.doubts, '$[*] ? (@.field != "edition")')
			FROM documents o WHERE (d.id, o.id) IN (($1, $2), ($2, $1)) AND d.in_review AND d.superseded_by IS NULL AND NOT o.in_review
				AND d.doubts @> '[{"field": "edition"}]' RETURNING d.in_review`, p.old, p.by)
		if err != nil {
			return nil, err
		}
		asked, err := pgx.CollectRows(rows, pgx.RowTo[bool])
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
