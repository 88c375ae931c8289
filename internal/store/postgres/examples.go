package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Example is an article about which a visitor may ask a question.
type Example struct {
	Domain   string
	Document uuid.UUID
	Title    string
	Article  uuid.UUID
	Number   string // number as printed
}

// newestTexts is how many of a domain's newest texts are searched for a numbered article:
// some texts have none.
const newestTexts = 4

// Examples returns one article in force today for each active domain, for at most limit domains, largest domain first.
// It comes from the newest text that has numbered articles of its own, among the newestTexts newest ones. It is that
// text's second article if there is one, because the first often only names the subject.
func (db *DB) Examples(ctx context.Context, limit int) ([]Example, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Example], `WITH filled AS (
			SELECT m.code, count(*) AS texts FROM domaines m JOIN documents d ON d.domaine = m.code
			WHERE m.active AND d.statut = 'en_vigueur' AND NOT d.in_review GROUP BY m.code)
		SELECT f.code, one.id, one.title, one.article, one.number
		FROM filled f CROSS JOIN LATERAL (
			SELECT d.id, d.title, a.id AS article, a.number
			FROM (SELECT id, title, promulgated_on FROM documents WHERE domaine = f.code AND statut = 'en_vigueur' AND NOT in_review
				ORDER BY promulgated_on DESC, id LIMIT $2) d
			CROSS JOIN LATERAL (SELECT id, number, position FROM articles a
				WHERE document_id = d.id AND number ~ '^[0-9]' AND `+ownArticle+` ORDER BY position LIMIT 2) a
			ORDER BY d.promulgated_on DESC, d.id, a.position DESC LIMIT 1) one
		ORDER BY f.texts DESC, f.code LIMIT $1`, limit, newestTexts)
	return list, classify("examples", err)
}
