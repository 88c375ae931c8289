package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// ReadArticle is an article for display: with its text, the positions of its lines, and the
// changes that other texts made to it, oldest first.
type ReadArticle struct {
	law.Article
	Changes []law.RelationRef
	// Assembled is set if the text is not printed but made from amending acts.
	Assembled *AssembledBy
}

// ReadArticles returns one page of the list that Articles returns, with the articles' text,
// and the total number of articles.
func (db *DB) ReadArticles(ctx context.Context, document uuid.UUID, page, size int) (list []ReadArticle, total int, err error) {
	if _, err := db.Document(ctx, document); err != nil {
		return nil, 0, err
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		const where = ` FROM articles a JOIN documents d ON d.id = a.document_id`
		const fits = ` WHERE a.document_id = $1`
		if err := tx.QueryRow(ctx, `SELECT count(*)`+where+fits, document).Scan(&total); err != nil {
			return err
		}
		list, err = readArticles(ctx, tx, document, where+wordingJoin+fits+` ORDER BY a.position LIMIT $2 OFFSET $3`, document, size, int64(page-1)*int64(size))
		return err
	})
	return list, total, classify("articles of "+document.String(), err)
}

// ReadArticle returns one article of a text for display, as printed. An article that acts have
// inserted is returned in its version of the day now, or else in its last wording.
func (db *DB) ReadArticle(ctx context.Context, document, id uuid.UUID) (a ReadArticle, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		list, err := readArticles(ctx, tx, document, ` FROM articles a JOIN documents d ON d.id = a.document_id`+wordingJoin+`
			WHERE a.id = $1 AND a.document_id = $2 AND `+readableByID, id, document)
		switch {
		case err != nil:
		case len(list) > 0:
			a = list[0]
		default:
			a, err = insertedArticle(ctx, tx, document, id, time.Now())
		}
		return err
	})
	return a, classify("article "+id.String(), err)
}

func readArticles(ctx context.Context, tx pgx.Tx, document uuid.UUID, which string, args ...any) ([]ReadArticle, error) {
	changes, err := changesTo(ctx, tx, document)
	if err != nil {
		return nil, err
	}
	return collect(ctx, tx, func(r pgx.CollectableRow) (a ReadArticle, err error) {
		var spans []byte
		var w *wordingRow
		err = r.Scan(&a.ID, &a.DocumentID, &a.Position, &a.Number, &a.Path, &a.Heading, &a.Page, &a.Text, &spans, &a.ValidFrom, &a.ValidTo, &w)
		if err == nil {
			err = json.Unmarshal(spans, &a.Spans)
		}
		a.Wording = w.wording()
		a.Changes = ofArticle(a.Article, changes)
		return a, err
	}, `SELECT a.id, a.document_id, a.position, a.number, a.path, a.heading, a.page, a.body, a.spans, `+inForce+`, `+wordingColumn+which, args...)
}

// changesTo returns the changes that texts of the catalogue make to a text, oldest first.
func changesTo(ctx context.Context, tx pgx.Tx, document uuid.UUID) ([]related, error) {
	return collect(ctx, tx, func(row pgx.CollectableRow) (r related, err error) {
		err = row.Scan(&r.Type, &r.DocumentID, &r.ArticleID, &r.Title, &r.Date, &r.Articles)
		return r, err
	}, `SELECT r.kind || '_par', r.source_id, r.source_article, s.title, r.effective_on::text, r.target_articles
		FROM relation_targets t JOIN relations r ON r.id = t.relation_id JOIN documents s ON s.id = r.source_id AND NOT s.in_review
		WHERE t.document_id = $1 ORDER BY r.effective_on, r.id`, document)
}

// ofArticle selects the changes that concern an article: changes of the whole text, and
// changes that name the article. A new wording belongs to an article of another text, whose
// changes the caller passes.
func ofArticle(a law.Article, changes []related) []law.RelationRef {
	list := []law.RelationRef{}
	for _, c := range changes {
		if a.Wording == nil && (len(c.Articles) == 0 || names(c.Articles, a.Number)) {
			list = append(list, c.RelationRef)
		}
	}
	return list
}
