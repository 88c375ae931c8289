package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ReviewPage returns one page of the texts in review of all files, in the order in which
// the files were added. If doubt is not empty, only texts with a doubt about that field are
// listed. total is the exact number of such texts, and doubts counts all texts in review by
// doubtful field. page counts from 1.
func (db *DB) ReviewPage(ctx context.Context, doubt string, page, size int) (items []Review, total int, doubts []Count, err error) {
	const waits = ` d.in_review AND d.superseded_by IS NULL`
	const fits = ` AND ($1 = '' OR d.doubts @> jsonb_build_array(jsonb_build_object('field', $1::text)))`
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT f.field, count(*) FROM documents d CROSS JOIN LATERAL
				(SELECT DISTINCT e ->> 'field' AS field FROM jsonb_array_elements(d.doubts) e) f WHERE`+waits+` GROUP BY 1 ORDER BY 2 DESC, 1`)
		if err != nil {
			return err
		}
		if doubts, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Count]); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM documents d WHERE`+waits+fits, doubt).Scan(&total); err != nil {
			return err
		}
		rows, err = tx.Query(ctx, fmt.Sprintf(`%s %s ORDER BY i.created_at, i.id, d.position LIMIT $2 OFFSET $3`, reviewQuery, fits),
			doubt, size, int64(page-1)*int64(size))
		if err != nil {
			return err
		}
		items, err = pgx.CollectRows(rows, scanReview)
		return err
	})
	return items, total, doubts, classify("page of reviews", err)
}
