package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// ReviewQuery filters the texts in review; zero values do not filter.
type ReviewQuery struct {
	Doubt string // a field in doubt
	Group string // ReviewGroup.Fields
	File  string // part of the file's name, in any case
}

// ReviewGroup is the texts in review that wait for the same fields.
type ReviewGroup struct {
	Fields  string `json:"fields"` // the doubtful fields in alphabetical order, joined by « + »
	Texts   int    `json:"texts"`
	Files   int    `json:"files"`
	Lacking int    `json:"lacking"` // texts that cannot be accepted as they are: a person has to give a type or a date
}

// ReviewList is one page of the texts in review.
type ReviewList struct {
	Items  []Review
	Total  int           // texts that match the query
	Doubts []Count       // all texts in review by doubtful field
	Groups []ReviewGroup // all texts in review by their doubts, largest group first
}

// reviewGroup is the SQL expression for ReviewGroup.Fields of a text.
const reviewGroup = `coalesce((SELECT string_agg(f.field, '+' ORDER BY f.field COLLATE "C") FROM (SELECT DISTINCT e ->> 'field' AS field FROM jsonb_array_elements(d.doubts) e) f), '')`

// inReview is the condition that a text d waits in the list of reviews.
const inReview = ` d.in_review AND d.superseded_by IS NULL`

// ReviewPage returns one page of the texts in review of all files that match a query, in the
// order in which the files were added, and what all texts in review wait for. page counts
// from 1.
func (db *DB) ReviewPage(ctx context.Context, q ReviewQuery, page, size int) (list ReviewList, err error) {
	const fits = ` AND ($1 = '' OR d.doubts @> jsonb_build_array(jsonb_build_object('field', $1::text)))
		AND ($2 = '' OR ` + reviewGroup + ` = $2) AND ($3 = '' OR strpos(lower(i.filename), lower($3)) > 0)`
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if list.Doubts, err = collect(ctx, tx, pgx.RowToStructByPos[Count], `SELECT f.field, count(*) FROM documents d CROSS JOIN LATERAL
				(SELECT DISTINCT e ->> 'field' AS field FROM jsonb_array_elements(d.doubts) e) f WHERE`+inReview+` GROUP BY 1 ORDER BY 2 DESC, 1`); err != nil {
			return err
		}
		if list.Groups, err = collect(ctx, tx, pgx.RowToStructByPos[ReviewGroup], `SELECT `+reviewGroup+`, count(*), count(DISTINCT d.ingestion_id), count(*) FILTER (WHERE EXISTS (
				SELECT FROM jsonb_array_elements(d.doubts) e WHERE e ->> 'field' = ANY($1) AND (e ->> 'confidence')::float = 0))
				FROM documents d WHERE`+inReview+` GROUP BY 1 ORDER BY 2 DESC, 1`, law.Indispensable()); err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `SELECT count(*) FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE`+inReview+fits, q.Doubt, q.Group, q.File).Scan(&list.Total)
		if err != nil {
			return err
		}
		list.Items, err = collect(ctx, tx, scanReview, fmt.Sprintf(`%s %s ORDER BY i.created_at, i.id, d.position LIMIT $4 OFFSET $5`, reviewQuery, fits),
			q.Doubt, q.Group, q.File, size, int64(page-1)*int64(size))
		return err
	})
	return list, classify("page of reviews", err)
}
