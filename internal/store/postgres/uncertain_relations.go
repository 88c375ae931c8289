package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// UncertainRelation is a change to a text that could not be identified: the words of the
// changing text may mean several texts.
type UncertainRelation struct {
	Relation   law.Relation
	Title      string // title of the text that makes the change
	Article    string // number of the article that makes the change
	Candidates []RelatedText
}

// UncertainRelations lists the relations that a person has to settle, those of the newest
// texts first.
func (db *DB) UncertainRelations(ctx context.Context, limit int) (list []UncertainRelation, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		meant, err := db.meant(ctx, tx, `r.uncertain AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = r.id)`,
			` ORDER BY s.promulgated_on DESC, r.source_id, (SELECT position FROM articles WHERE id = r.source_article), r.id LIMIT $1`, limit)
		if err != nil {
			return err
		}
		// Many relations may mean the same hundred texts, so each text is read once.
		ids, at := []uuid.UUID{}, make(map[uuid.UUID]int, len(meant))
		for i, m := range meant {
			ids, at[m.ID] = append(ids, m.Texts...), i
		}
		texts, err := relatedTexts(ctx, tx, ids)
		if err != nil {
			return err
		}
		list, err = uncertain(ctx, tx, at)
		for i := range list {
			u := &list[i]
			for _, id := range meant[at[u.Relation.ID]].Texts {
				if text, there := texts[id]; there {
					u.Candidates = append(u.Candidates, text)
				}
			}
			slices.SortFunc(u.Candidates, func(a, b RelatedText) int {
				return cmp.Or(a.Date.Compare(b.Date), slices.Compare(a.ID[:], b.ID[:]))
			})
		}
		list = slices.DeleteFunc(list, func(u UncertainRelation) bool { return len(u.Candidates) == 0 })
		return err
	})
	return list, classify("uncertain relations", err)
}

// uncertain reads relations without their candidates, in the order of their indexes in at.
func uncertain(ctx context.Context, tx pgx.Tx, at map[uuid.UUID]int) ([]UncertainRelation, error) {
	list, err := collect(ctx, tx, func(row pgx.CollectableRow) (u UncertainRelation, err error) {
		r := &u.Relation
		return u, row.Scan(&r.ID, &r.SourceID, &r.SourceArticle, &r.Kind, &r.TargetType, &r.TargetNumber, &r.TargetTitle, &r.TargetDate, &r.TargetArticles,
			&r.Effective, &u.Title, &u.Article)
	}, `SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on, r.target_articles, r.effective_on, s.title, a.number
		FROM relations r JOIN documents s ON s.id = r.source_id JOIN articles a ON a.id = r.source_article WHERE r.id = ANY($1)`, slices.Collect(maps.Keys(at)))
	slices.SortFunc(list, func(a, b UncertainRelation) int { return at[a.Relation.ID] - at[b.Relation.ID] })
	return list, err
}

// relatedTexts returns the given texts that are in the catalogue, by id.
func relatedTexts(ctx context.Context, tx pgx.Tx, ids []uuid.UUID) (map[uuid.UUID]RelatedText, error) {
	rows, err := tx.Query(ctx, `SELECT id, title, promulgated_on FROM documents WHERE NOT in_review AND id IN (SELECT DISTINCT unnest($1::uuid[]))`, ids)
	if err != nil {
		return nil, err
	}
	texts := map[uuid.UUID]RelatedText{}
	var t RelatedText
	_, err = pgx.ForEachRow(rows, []any{&t.ID, &t.Title, &t.Date}, func() error {
		texts[t.ID] = t
		return nil
	})
	return texts, err
}

// SettleRelation records which text of the catalogue a relation means; target is nil if it
// means none. It derives the status of that text and of the texts that the relation was
// linked to before. The decision stays, whatever texts are added later. NotFound if there
// is no such relation; Conflict if the relation cannot mean the text.
func (db *DB) SettleRelation(ctx context.Context, relation uuid.UUID, target *uuid.UUID) error {
	return db.inTx(ctx, "settle relation "+relation.String(), func(tx pgx.Tx) error {
		if err := lockTexts(ctx, tx); err != nil {
			return err
		}
		var source uuid.UUID
		if err := tx.QueryRow(ctx, `UPDATE relations SET by_hand = true WHERE id = $1 RETURNING source_id`, relation).Scan(&source); err != nil {
			return err
		}
		affected, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `DELETE FROM relation_targets WHERE relation_id = $1 RETURNING document_id`, relation)
		if err != nil {
			return err
		}
		if target != nil {
			if err := execOne(ctx, tx, errs.New(errs.Conflict, "Ce texte n’est pas au catalogue, ou il est celui qui le dit."), `INSERT INTO relation_targets (relation_id, document_id)
				SELECT $1, id FROM documents WHERE id = $2 AND id <> $3 AND NOT in_review`, relation, *target, source); err != nil {
				return err
			}
			affected = append(affected, *target)
		}
		if err := derive(ctx, tx, append(affected, source), []uuid.UUID{relation}); err != nil {
			return err
		}
		return audit(ctx, tx, RelationSettled, relation.String(), details{"source": source, "target": target})
	})
}
