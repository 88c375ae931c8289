package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

func insertRelations(ctx context.Context, tx pgx.Tx, source uuid.UUID, relations []law.Relation) error {
	batch := &pgx.Batch{}
	for _, r := range relations {
		batch.Queue(`INSERT INTO relations (id, source_id, source_article, kind, target_type, target_number, target_title,
				target_articles, effective_on) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			r.ID, source, r.SourceArticle, r.Kind, r.TargetType, r.TargetNumber, r.TargetTitle, texts(r.TargetArticles), r.Effective)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// resolveRelations ties open relations to the one text of the catalogue that
// they can mean, and brings the texts concerned up to date; it returns their ids. A
// relation that fits no text, or several, stays open.
func resolveRelations(ctx context.Context, tx pgx.Tx) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `WITH candidates AS (
			SELECT r.id AS relation, d.id AS target, count(*) OVER (PARTITION BY r.id) AS n
			FROM relations r JOIN documents s ON s.id = r.source_id JOIN documents d ON d.id <> r.source_id
			WHERE r.target_id IS NULL AND NOT s.in_review AND NOT d.in_review AND d.promulgated_on <= s.promulgated_on
			AND CASE WHEN r.target_number <> ''
				THEN lower(d.numero_officiel) = lower(r.target_number)
					AND (r.target_type = '' OR d.doc_type = r.target_type OR (r.target_type = 'loi' AND d.doc_type = 'code'))
				WHEN r.target_title <> '' THEN fold(d.title) LIKE '%' || fold(r.target_title) || '%'
					AND NOT EXISTS (SELECT FROM relations o WHERE o.source_id = d.id AND o.target_title = r.target_title)
				ELSE false END)
		UPDATE relations r SET target_id = c.target FROM candidates c
		WHERE c.relation = r.id AND c.n = 1 RETURNING r.target_id`)
	if err != nil {
		return nil, err
	}
	targets, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		if err := applyRelations(ctx, tx, target); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// applyRelations derives from all relations to a text what it and its articles
// are: the first repeal of the whole ends it, a change to an article ends the
// wording of that article.
func applyRelations(ctx context.Context, tx pgx.Tx, target uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE documents d SET
			repealed_by = (SELECT r.source_id FROM relations r WHERE r.target_id = d.id AND r.kind = 'abroge'
				AND r.target_articles = '{}' ORDER BY r.effective_on, r.id LIMIT 1),
			repealed_on = (SELECT min(r.effective_on) FROM relations r WHERE r.target_id = d.id AND r.kind = 'abroge'
				AND r.target_articles = '{}'),
			statut = CASE
				WHEN EXISTS (SELECT FROM relations r WHERE r.target_id = d.id AND r.kind = 'abroge'
					AND r.target_articles = '{}' AND r.effective_on <= current_date) THEN 'abroge'
				WHEN EXISTS (SELECT FROM relations r WHERE r.target_id = d.id AND r.effective_on <= current_date) THEN 'modifie'
				ELSE 'en_vigueur' END
		WHERE d.id = $1`, target)
	if err != nil {
		return err
	}
	return endArticles(ctx, tx, target)
}

// endArticles sets the last day of each article that a relation names. Numbers
// are compared as the law writes them: « 1er » is « premier », « L1224-1 » is
// « L. 1224-1 ».
func endArticles(ctx context.Context, tx pgx.Tx, target uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT unnest(target_articles), effective_on FROM relations WHERE target_id = $1
		ORDER BY effective_on DESC`, target)
	if err != nil {
		return err
	}
	ends := map[string]any{}
	var number string
	var day any
	if _, err := pgx.ForEachRow(rows, []any{&number, &day}, func() error {
		ends[law.ArticleKey(number)] = day // the earliest comes last
		return nil
	}); err != nil {
		return err
	}
	rows, err = tx.Query(ctx, `SELECT id, number FROM articles WHERE document_id = $1 AND number <> ''`, target)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	var id uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id, &number}, func() error {
		if day, named := ends[law.ArticleKey(number)]; named {
			batch.Queue(`UPDATE articles SET valid_to = $2 WHERE id = $1`, id, day)
		}
		return nil
	}); err != nil {
		return err
	}
	return tx.SendBatch(ctx, batch).Close()
}
