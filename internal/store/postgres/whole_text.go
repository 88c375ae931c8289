package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// WholeText returns a text in the catalogue or in review, with the text of its articles and
// its relations, but without passages and positions. NotFound if there is no such text.
func (db *DB) WholeText(ctx context.Context, id uuid.UUID) (t Text, err error) {
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT d.doubts, d.evidence, d.countries, `+documentColumns+` FROM documents d WHERE d.id = $1`, id).
			Scan(append([]any{&t.Doubts, &t.Evidence, &t.Countries}, documentFields(&t.Document)...)...)
		if err != nil {
			return err
		}
		if t.Articles, err = wholeArticles(ctx, tx, id); err != nil {
			return err
		}
		if t.Relations, err = saidRelations(ctx, tx, id); err != nil {
			return err
		}
		t.Ended, err = endedBy(ctx, tx, id, t.Articles)
		return err
	})
	return t, classify("text "+id.String(), err)
}

func wholeArticles(ctx context.Context, tx pgx.Tx, document uuid.UUID) ([]law.Article, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (a law.Article, err error) {
		var w *wordingRow
		err = r.Scan(&a.ID, &a.DocumentID, &a.Position, &a.Number, &a.Path, &a.Heading, &a.Page, &a.Text, &a.ValidFrom, &a.ValidTo, &w)
		a.Wording = w.wording()
		return a, err
	}, `SELECT a.id, a.document_id, a.position, a.number, a.path, a.heading, a.page, a.body, a.valid_from, a.valid_to, `+wordingColumn+`
		FROM articles a`+wordingJoin+`WHERE a.document_id = $1 ORDER BY a.position`, document)
}

// saidRelations returns the relations that were found in the words of a text.
func saidRelations(ctx context.Context, tx pgx.Tx, document uuid.UUID) ([]law.Relation, error) {
	return collect(ctx, tx, func(row pgx.CollectableRow) (r law.Relation, err error) {
		err = row.Scan(&r.ID, &r.SourceID, &r.SourceArticle, &r.Kind, &r.TargetType, &r.TargetNumber, &r.TargetTitle, &r.TargetDate,
			&r.TargetArticles, &r.Effective, &r.Adds, &r.TargetID)
		return r, err
	}, `SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on,
			r.target_articles, r.effective_on, r.adds, (SELECT min(t.document_id::text)::uuid FROM relation_targets t WHERE t.relation_id = r.id)
		FROM relations r JOIN articles a ON a.id = r.source_article WHERE r.source_id = $1 ORDER BY a.position, r.id`, document)
}

// endedBy returns, for each article that has ended, the change that ended it. This is a
// change to the article's own text or, for a new wording, to the amended text. A change
// that names the article is preferred to one that gives it a new wording without naming it.
func endedBy(ctx context.Context, tx pgx.Tx, document uuid.UUID, articles []law.Article) (map[uuid.UUID]law.RelationRef, error) {
	of := func(a law.Article) (text uuid.UUID, number string) {
		if w := a.Wording; w != nil && w.TargetID != nil {
			return *w.TargetID, w.Number
		}
		return document, a.Number
	}
	var texts []uuid.UUID
	for _, a := range articles {
		if text, _ := of(a); a.ValidTo != nil {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	changes, err := changesOf(ctx, tx, texts)
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]law.RelationRef)
	for _, a := range articles {
		if a.ValidTo == nil {
			continue
		}
		text, number := of(a)
		for _, c := range changes[text] {
			if _, known := out[a.ID]; c.Date == a.ValidTo.Format(time.DateOnly) && (names(c.Articles, number) || !known && len(c.Articles) == 0) {
				out[a.ID] = c.RelationRef
			}
		}
	}
	return out, nil
}

// changesOf lists the changes to each of the texts, oldest first.
func changesOf(ctx context.Context, tx pgx.Tx, texts []uuid.UUID) (map[uuid.UUID][]related, error) {
	rows, err := tx.Query(ctx, `SELECT c.target_id, c.kind || '_par', c.source_id, c.source_article, s.title, c.effective_on::text, c.target_articles
		FROM (`+changesWhere(`t.document_id = ANY($1)`, `h.id = ANY($1)`)+`) c JOIN documents s ON s.id = c.source_id
		ORDER BY c.effective_on, c.id`, texts)
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID][]related)
	var text uuid.UUID
	var c related
	_, err = pgx.ForEachRow(rows, []any{&text, &c.Type, &c.DocumentID, &c.ArticleID, &c.Title, &c.Date, &c.Articles}, func() error {
		out[text] = append(out[text], c)
		c = related{} // a new value, because pgx fills slices in place
		return nil
	})
	return out, err
}
