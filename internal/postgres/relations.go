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

// resolveRelations ties relations to the text of the catalogue that they can
// mean, in every file that has it, and returns the ids of the texts it tied. A
// relation that fits no text, or texts of different numbers or dates, stays open.
func resolveRelations(ctx context.Context, tx pgx.Tx) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `WITH candidates AS (
			SELECT r.id AS relation, d.id AS target, d.promulgated_on AS day, lower(d.numero_officiel) AS number
			FROM relations r JOIN documents s ON s.id = r.source_id JOIN documents d ON d.id <> r.source_id
			WHERE NOT s.in_review AND NOT d.in_review AND d.promulgated_on <= s.promulgated_on
			AND CASE WHEN r.target_number <> ''
				THEN lower(d.numero_officiel) = lower(r.target_number)
					AND (r.target_type = '' OR d.doc_type = r.target_type OR (r.target_type = 'loi' AND d.doc_type = 'code'))
				WHEN r.target_title <> '' THEN fold(d.title) LIKE '%' || fold(r.target_title) || '%'
					AND NOT EXISTS (SELECT FROM relations o WHERE o.source_id = d.id AND o.target_title = r.target_title)
				ELSE false END),
		certain AS (SELECT relation FROM candidates GROUP BY relation
			HAVING min(day) = max(day) AND min(number) = max(number))
		INSERT INTO relation_targets (relation_id, document_id)
		SELECT relation, target FROM candidates JOIN certain USING (relation)
		ON CONFLICT DO NOTHING RETURNING document_id`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// targetsOf lists the texts that relations read in a file change.
func targetsOf(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `SELECT DISTINCT t.document_id FROM relation_targets t JOIN relations r ON r.id = t.relation_id
		JOIN documents s ON s.id = r.source_id WHERE s.ingestion_id = $1`, ingestion)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// applyRelations derives from all relations to a text what it and its articles
// are: the first repeal of the whole ends it, a change to an article ends the
// wording of that article. A text that is gone is no error.
func applyRelations(ctx context.Context, tx pgx.Tx, target uuid.UUID) error {
	_, err := tx.Exec(ctx, `WITH said AS (SELECT r.id, r.source_id, r.effective_on, r.kind = 'abroge' AND r.target_articles = '{}' AS ends
				FROM relations r JOIN relation_targets t ON t.relation_id = r.id WHERE t.document_id = $1)
		UPDATE documents d SET
			repealed_by = (SELECT source_id FROM said WHERE ends ORDER BY effective_on, id LIMIT 1),
			repealed_on = (SELECT min(effective_on) FROM said WHERE ends),
			statut = CASE
				WHEN EXISTS (SELECT FROM said WHERE ends AND effective_on <= current_date) THEN 'abroge'
				WHEN EXISTS (SELECT FROM said WHERE effective_on <= current_date) THEN 'modifie'
				ELSE 'en_vigueur' END
		WHERE d.id = $1`, target)
	if err != nil {
		return err
	}
	return endArticles(ctx, tx, target)
}

// RefreshStatuses brings up to date the texts on which a change has taken effect
// since their status was last derived, tells the catalogue's followers, and
// returns how many they were.
func (db *DB) RefreshStatuses(ctx context.Context) (n int, err error) {
	err = db.inTx(ctx, "refresh statuses", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT DISTINCT d.id FROM documents d
			JOIN relation_targets t ON t.document_id = d.id JOIN relations r ON r.id = t.relation_id
			WHERE r.effective_on <= current_date AND d.statut <> 'abroge'
			AND (d.statut = 'en_vigueur' OR (r.kind = 'abroge' AND r.target_articles = '{}'))`)
		if err != nil {
			return err
		}
		due, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return err
		}
		for _, id := range due {
			if err := applyRelations(ctx, tx, id); err != nil {
				return err
			}
		}
		n = len(due)
		return announce(ctx, tx, due)
	})
	return n, err
}

// endArticles sets the last day of each article that a relation names. Numbers
// are compared as the law writes them: « 1er » is « premier », « L1224-1 » is
// « L. 1224-1 ».
func endArticles(ctx context.Context, tx pgx.Tx, target uuid.UUID) error {
	if _, err := tx.Exec(ctx, `UPDATE articles SET valid_to = NULL WHERE document_id = $1 AND valid_to IS NOT NULL`, target); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT unnest(r.target_articles), r.effective_on FROM relations r
		JOIN relation_targets t ON t.relation_id = r.id WHERE t.document_id = $1 ORDER BY r.effective_on DESC`, target)
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
