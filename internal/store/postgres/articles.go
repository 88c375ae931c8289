package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// Articles lists the articles of a text of the catalogue in order, without the text of the
// articles. Each article has the first and the last day on which it is law; unless a change
// set them, these are the days of the whole text. New wordings that the text gives to other
// texts follow the article that contains them. NotFound if the
// catalogue has no such text. Which articles are law on a day, ReadArticlesOn says.
func (db *DB) Articles(ctx context.Context, document uuid.UUID) ([]law.Article, error) {
	if _, err := db.Document(ctx, document); err != nil {
		return nil, err
	}
	articles, err := printedArticles(ctx, db.pool, document)
	return articles, classify("articles of "+document.String(), err)
}

// printedArticles lists the articles of a text as Articles does, also of a text that is not in the catalogue.
func printedArticles(ctx context.Context, q querier, document uuid.UUID) ([]law.Article, error) {
	return collect(ctx, q, func(r pgx.CollectableRow) (a law.Article, err error) {
		var w *wordingRow
		err = r.Scan(&a.ID, &a.DocumentID, &a.Position, &a.Number, &a.Path, &a.Heading, &a.Page, &a.ValidFrom, &a.ValidTo, &w)
		a.Wording = w.wording()
		return a, err
	}, `SELECT a.id, a.document_id, a.position, a.number, a.path, a.heading, a.page, `+inForce+`, `+wordingColumn+`
		FROM articles a JOIN documents d ON d.id = a.document_id`+wordingJoin+` WHERE a.document_id = $1 ORDER BY a.position`, document)
}
