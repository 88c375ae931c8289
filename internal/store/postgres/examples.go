package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Example is an article that a question can be asked about.
type Example struct {
	Domain   string
	Document uuid.UUID
	Title    string
	Article  uuid.UUID
	Number   string // as printed
}

// newestLooked is how many of a domain's newest texts are searched for an article: some are
// printed without numbered ones.
const newestLooked = 4

// Examples returns one article in force today for each of at most so many active domains,
// the largest first. It takes the newest of the domain's newest texts that has numbered
// articles of its own, and of this text the second article, because the first often only
// names the subject, or the only one.
func (db *DB) Examples(ctx context.Context, most int) ([]Example, error) {
	rows, err := db.pool.Query(ctx, `WITH filled AS (
			SELECT m.code, sum(c.n) AS texts FROM domaines m JOIN document_counts c ON c.domaine = m.code
			WHERE m.active AND c.doc_type = '' AND c.statut = 'en_vigueur' GROUP BY m.code HAVING sum(c.n) > 0)
		SELECT f.code, one.id, one.title, one.article, one.number
		FROM filled f CROSS JOIN LATERAL (
			SELECT d.id, d.title, a.id AS article, a.number
			FROM (SELECT id, title, promulgated_on FROM documents WHERE domaine = f.code AND statut = 'en_vigueur' AND NOT in_review
				ORDER BY promulgated_on DESC, id LIMIT $2) d
			CROSS JOIN LATERAL (SELECT id, number, position FROM articles a
				WHERE document_id = d.id AND number ~ '^[0-9]' AND `+ownArticle+` ORDER BY position LIMIT 2) a
			ORDER BY d.promulgated_on DESC, d.id, a.position DESC LIMIT 1) one
		ORDER BY f.texts DESC, f.code LIMIT $1`, most, newestLooked)
	if err != nil {
		return nil, classify("examples", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Example])
	return list, classify("examples", err)
}
