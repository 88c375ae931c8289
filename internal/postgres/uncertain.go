package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
	"vigueur/internal/law"
)

// UncertainRelation is a change that a text of the catalogue makes to one of
// several that its words may mean.
type UncertainRelation struct {
	Relation   law.Relation
	Title      string // of the text that makes it
	Article    string // the number of the article that says it
	Candidates []RelatedText
}

// UncertainRelations lists the relations that a person has to settle, those of
// the newest text first.
func (db *DB) UncertainRelations(ctx context.Context, limit int) ([]UncertainRelation, error) {
	// The texts that each may mean are put together before what is told of the relation
	// is looked for: there may be a hundred times as many.
	rows, err := db.pool.Query(ctx, candidatesQuery(`r.uncertain AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = r.id)`)+`,
		listed AS MATERIALIZED (
			SELECT c.relation, json_agg(json_build_object('id', d.id, 'title', d.title, 'day', d.promulgated_on) ORDER BY d.promulgated_on, d.id) AS texts
			FROM candidates c JOIN documents d ON d.id = c.target AND NOT d.in_review GROUP BY c.relation)
		SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on, r.target_articles, r.effective_on,
			s.title, a.number, l.texts
		FROM listed l JOIN relations r ON r.id = l.relation JOIN documents s ON s.id = r.source_id JOIN articles a ON a.id = r.source_article
		ORDER BY s.promulgated_on DESC, r.source_id, a.position, r.id LIMIT $1`, limit)
	if err != nil {
		return nil, classify("uncertain relations", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (u UncertainRelation, err error) {
		var candidates []struct {
			ID    uuid.UUID `json:"id"`
			Title string    `json:"title"`
			Day   string    `json:"day"`
		}
		r := &u.Relation
		if err := row.Scan(&r.ID, &r.SourceID, &r.SourceArticle, &r.Kind, &r.TargetType, &r.TargetNumber, &r.TargetTitle, &r.TargetDate, &r.TargetArticles,
			&r.Effective, &u.Title, &u.Article, &candidates); err != nil {
			return u, err
		}
		for _, c := range candidates {
			day, err := time.Parse(time.DateOnly, c.Day)
			if err != nil {
				return u, err
			}
			u.Candidates = append(u.Candidates, RelatedText{ID: c.ID, Title: c.Title, Date: day})
		}
		return u, nil
	})
	return list, classify("uncertain relations", err)
}

// SettleRelation says which text of the catalogue a relation means, nil that it
// means none; what follows is derived for that text and for those it was tied to.
// It stays so, whatever texts come. NotFound when there is no such relation,
// Conflict when the text cannot be meant.
func (db *DB) SettleRelation(ctx context.Context, relation uuid.UUID, target *uuid.UUID) error {
	return db.inTx(ctx, "settle relation "+relation.String(), func(tx pgx.Tx) error {
		if err := lockTexts(ctx, tx); err != nil {
			return err
		}
		var source uuid.UUID
		if err := tx.QueryRow(ctx, `UPDATE relations SET by_hand = true WHERE id = $1 RETURNING source_id`, relation).Scan(&source); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `DELETE FROM relation_targets WHERE relation_id = $1 RETURNING document_id`, relation)
		if err != nil {
			return err
		}
		affected, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return err
		}
		if target != nil {
			tag, err := tx.Exec(ctx, `INSERT INTO relation_targets (relation_id, document_id)
				SELECT $1, id FROM documents WHERE id = $2 AND id <> $3 AND NOT in_review`, relation, *target, source)
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				return errs.New(errs.Conflict, "Ce texte n’est pas au catalogue, ou il est celui qui le dit.")
			}
			affected = append(affected, *target)
		}
		if err := derive(ctx, tx, append(affected, source), []uuid.UUID{relation}); err != nil {
			return err
		}
		return audit(ctx, tx, RelationSettled, relation.String(), details{"source": source, "target": target})
	})
}
