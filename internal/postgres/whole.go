package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// WholeText gives a text with its articles' words and the relations it was read
// to have, whether it is in the catalogue or waits in review; without passages
// and places. NotFound when there is no such text.
func (db *DB) WholeText(ctx context.Context, id uuid.UUID) (t Text, err error) {
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT d.doubts, d.evidence, `+documentColumns+` FROM documents d WHERE d.id = $1`, id).
			Scan(append([]any{&t.Doubts, &t.Evidence}, documentFields(&t.Document)...)...)
		if err != nil {
			return err
		}
		if t.Articles, err = wholeArticles(ctx, tx, id); err != nil {
			return err
		}
		t.Relations, err = saidRelations(ctx, tx, id)
		return err
	})
	return t, classify("text "+id.String(), err)
}

func wholeArticles(ctx context.Context, tx pgx.Tx, document uuid.UUID) ([]law.Article, error) {
	rows, err := tx.Query(ctx, `SELECT a.id, a.document_id, a.position, a.number, a.path, a.heading, a.page, a.body, a.valid_from, a.valid_to, `+wordingColumn+`
		FROM articles a`+wordingJoin+`WHERE a.document_id = $1 ORDER BY a.position`, document)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (a law.Article, err error) {
		var w *wordingRow
		err = r.Scan(&a.ID, &a.DocumentID, &a.Position, &a.Number, &a.Path, &a.Heading, &a.Page, &a.Text, &a.ValidFrom, &a.ValidTo, &w)
		a.Wording = w.wording()
		return a, err
	})
}

// saidRelations are the relations that a text's own words make.
func saidRelations(ctx context.Context, tx pgx.Tx, document uuid.UUID) ([]law.Relation, error) {
	rows, err := tx.Query(ctx, `SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on,
			r.target_articles, r.effective_on, r.adds, (SELECT min(t.document_id::text)::uuid FROM relation_targets t WHERE t.relation_id = r.id)
		FROM relations r JOIN articles a ON a.id = r.source_article WHERE r.source_id = $1 ORDER BY a.position, r.id`, document)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r law.Relation, err error) {
		err = row.Scan(&r.ID, &r.SourceID, &r.SourceArticle, &r.Kind, &r.TargetType, &r.TargetNumber, &r.TargetTitle, &r.TargetDate,
			&r.TargetArticles, &r.Effective, &r.Adds, &r.TargetID)
		return r, err
	})
}
