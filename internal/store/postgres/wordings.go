package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// wordingJoin joins an article a to what it gives new words to: w, its row; r, the change;
// target, the changed text, if the catalogue has it.
const wordingJoin = ` LEFT JOIN wordings w ON w.article_id = a.id LEFT JOIN relations wr ON wr.id = w.relation_id
	LEFT JOIN articles wa ON wa.id = w.within
	LEFT JOIN LATERAL (SELECT t.id, t.title FROM relation_targets rt JOIN documents t ON t.id = rt.document_id AND NOT t.in_review
		WHERE rt.relation_id = w.relation_id ORDER BY t.id LIMIT 1) target ON true `

// wordingColumn is the same as one JSON value, NULL for an article of the text itself.
const wordingColumn = `CASE WHEN w.article_id IS NOT NULL THEN jsonb_build_object('within', w.within, 'within_number', wa.number,
	'relation', w.relation_id, 'number', w.number, 'part', w.part, 'inserted', w.inserted, 'target', target.id, 'title', target.title,
	'type', wr.target_type, 'named', wr.target_number, 'called', wr.target_title, 'day', wr.target_on) END`

// ownArticle is the SQL condition that an article a is the text's own, not a new wording.
const ownArticle = `NOT EXISTS (SELECT FROM wordings own WHERE own.article_id = a.id)`

// wordingRow is the scan target of wordingColumn.
type wordingRow struct {
	Within       uuid.UUID   `json:"within"`
	WithinNumber string      `json:"within_number"`
	Relation     uuid.UUID   `json:"relation"`
	Number       string      `json:"number"`
	Part         string      `json:"part"`
	Inserted     bool        `json:"inserted"`
	Target       *uuid.UUID  `json:"target"`
	Title        *string     `json:"title"`
	Type         law.DocType `json:"type"`
	Named        string      `json:"named"`
	Called       string      `json:"called"`
	Day          *string     `json:"day"`
}

// wording converts the row; a text that the catalogue lacks has the name that the amending
// text uses.
func (r *wordingRow) wording() *law.Wording {
	if r == nil {
		return nil
	}
	w := &law.Wording{Within: r.Within, WithinNumber: r.WithinNumber, Relation: r.Relation, Number: r.Number, Part: r.Part,
		Inserted: r.Inserted, TargetID: r.Target}
	if r.Title != nil {
		w.TargetTitle = *r.Title
		return w
	}
	var day time.Time
	if r.Day != nil {
		day, _ = time.Parse(time.DateOnly, *r.Day) // a date from the database
	}
	w.TargetTitle = law.CallText(r.Type, r.Named, r.Called, day)
	return w
}

func insertWordings(ctx context.Context, tx pgx.Tx, articles []law.Article) error {
	batch := &pgx.Batch{}
	for _, a := range articles {
		if w := a.Wording; w != nil {
			batch.Queue(`INSERT INTO wordings (article_id, within, relation_id, number, part, inserted) VALUES ($1, $2, $3, $4, $5, $6)`,
				a.ID, w.Within, w.Relation, w.Number, w.Part, w.Inserted)
		}
	}
	return tx.SendBatch(ctx, batch).Close()
}

// ending is a day from which the words of an article are no longer in force.
type ending struct {
	key string // key of the article, "" for the whole text
	day time.Time
}

// effects are the combined results of all relations to a text.
type effects struct {
	status     law.Status // unless it was set by hand
	repealedBy *uuid.UUID
	repealedOn *time.Time
	// endings are the changes that end words of its articles, by replacing or repealing
	// them. A change that only adds to an article ends none, but a new wording of a whole
	// article does, even if the amending text names only the division that contains it.
	endings []ending
}

// effectsOn reads the relations to a text, in one query that uses the indexes: otherwise
// planners read all relations of the catalogue for the few thousands that one code has.
func effectsOn(ctx context.Context, tx pgx.Tx, target uuid.UUID) (e effects, err error) {
	var numbers []string
	var days []time.Time
	err = tx.QueryRow(ctx, `WITH said AS MATERIALIZED (
			SELECT r.id, r.source_id, r.effective_on, r.target_articles, r.adds, r.kind = 'abroge' AND r.target_articles = '{}' AS ends
			FROM relation_targets t CROSS JOIN LATERAL (SELECT * FROM relations WHERE id = t.relation_id OFFSET 0) r WHERE t.document_id = $1),
		ended AS (
			SELECT n.number, s.effective_on FROM (SELECT DISTINCT target_articles, effective_on FROM said WHERE NOT adds) s, unnest(s.target_articles) n (number)
			UNION SELECT w.number, s.effective_on FROM said s
				CROSS JOIN LATERAL (SELECT number FROM wordings WHERE relation_id = s.id AND NOT inserted AND part = '' OFFSET 0) w)
		SELECT CASE WHEN EXISTS (SELECT FROM said WHERE ends AND effective_on <= current_date) THEN 'abroge'
				WHEN EXISTS (SELECT FROM said WHERE effective_on <= current_date) THEN 'modifie'
				ELSE 'en_vigueur' END,
			(SELECT source_id FROM said WHERE ends ORDER BY effective_on, id LIMIT 1), (SELECT min(effective_on) FROM said WHERE ends),
			array_agg(number), array_agg(effective_on) FROM ended`, target).Scan(&e.status, &e.repealedBy, &e.repealedOn, &numbers, &days)
	for i, number := range numbers {
		if key := law.ArticleKey(number); key != "" { // changes that name no article end none
			e.endings = append(e.endings, ending{key, days[i]})
		}
	}
	return e, err
}

// endings are the changes that end words of a text: those of effectsOn, and its own repeal,
// which ends all.
func endings(ctx context.Context, tx pgx.Tx, target uuid.UUID) ([]ending, error) {
	said, err := effectsOn(ctx, tx, target)
	if err != nil {
		return nil, err
	}
	var ended *time.Time
	err = tx.QueryRow(ctx, `SELECT max(repealed_on) FROM documents WHERE id = $1`, target).Scan(&ended) // max: a deleted text ends nothing
	if err != nil || ended == nil {
		return said.endings, err
	}
	return append(said.endings, ending{"", *ended}), nil
}

// endWordings sets the days of the new wordings that the given texts give, and the last day
// of each new wording of an article of theirs: the first later change to that article ends
// it, as it would end the article. Wordings that no longer amend an article are searched
// among those of the given relations, nil for any. It returns the texts that give the
// wordings, whose index rows change.
func endWordings(ctx context.Context, tx pgx.Tx, targets, relations []uuid.UUID) (giving []uuid.UUID, err error) {
	// A change that its text makes from its own first day moves with that day.
	if _, err := tx.Exec(ctx, `UPDATE articles a SET valid_from = r.effective_on FROM wordings w JOIN relations r ON r.id = w.relation_id
		WHERE w.article_id = a.id AND r.source_id = ANY($1) AND a.valid_from IS DISTINCT FROM r.effective_on`, targets); err != nil {
		return nil, err
	}
	// A wording that no longer amends an article is in force until its own text ends.
	given := `(SELECT w.* FROM unnest($1::uuid[]) x (id) CROSS JOIN LATERAL (SELECT * FROM wordings WHERE relation_id = x.id OFFSET 0) w)`
	if relations == nil {
		given = `(SELECT * FROM wordings WHERE $1::uuid[] IS NULL)`
	}
	rows, err := tx.Query(ctx, `UPDATE articles a SET valid_to = NULL FROM `+given+` w WHERE w.article_id = a.id AND a.valid_to IS NOT NULL
		AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = w.relation_id) RETURNING a.document_id`, relations)
	if err != nil {
		return nil, err
	}
	if giving, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
		return nil, err
	}
	for _, target := range targets {
		texts, err := endWordingsOf(ctx, tx, target)
		if err != nil {
			return nil, err
		}
		giving = append(giving, texts...)
	}
	return giving, nil
}

// endWordingsOf does this for one text.
func endWordingsOf(ctx context.Context, tx pgx.Tx, target uuid.UUID) (giving []uuid.UUID, err error) {
	rows, err := tx.Query(ctx, `SELECT a.id, a.document_id, w.number, r.effective_on FROM relation_targets t
		CROSS JOIN LATERAL (SELECT * FROM wordings WHERE relation_id = t.relation_id OFFSET 0) w
		JOIN relations r ON r.id = w.relation_id JOIN articles a ON a.id = w.article_id WHERE t.document_id = $1`, target)
	if err != nil {
		return nil, err
	}
	type given struct {
		ID, Document uuid.UUID
		Number       string
		From         time.Time
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[given])
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ends, err := endings(ctx, tx, target)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	for _, g := range list {
		batch.Queue(`UPDATE articles SET valid_to = $2 WHERE id = $1 AND valid_to IS DISTINCT FROM $2`, g.ID, firstAfter(ends, g.Number, g.From))
		giving = append(giving, g.Document)
	}
	return giving, tx.SendBatch(ctx, batch).Close()
}

// firstAfter is the first day after from on which an article, or the whole text, ends; nil
// if there is none.
func firstAfter(ends []ending, number string, from time.Time) (first *time.Time) {
	key := law.ArticleKey(number)
	for _, e := range ends {
		if (e.key == "" || e.key == key) && e.day.After(from) && (first == nil || e.day.Before(*first)) {
			first = &e.day
		}
	}
	return first
}

// Quoted reads the passages that contain the new wordings of the given articles, without
// spans: the index does not have them.
func (db *DB) Quoted(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]law.Passage, error) {
	rows, err := db.pool.Query(ctx, `SELECT p.id, p.document_id, p.article_id, p.position, p.page, p.body FROM passages p
		WHERE p.article_id = ANY($1) AND p.quoted ORDER BY p.position`, articles)
	if err != nil {
		return nil, classify("quoted", err)
	}
	out := make(map[uuid.UUID][]law.Passage)
	p := law.Passage{Quoted: true}
	_, err = pgx.ForEachRow(rows, []any{&p.ID, &p.DocumentID, &p.ArticleID, &p.Position, &p.Page, &p.Text}, func() error {
		out[p.ArticleID] = append(out[p.ArticleID], p)
		return nil
	})
	return out, classify("quoted", err)
}
