package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// wordingJoin joins an article a that contains a new wording to: w, the row of the wording;
// wr, the relation that it belongs to; wa, the article that quotes it; target, the amended
// text, if the catalogue has it.
const wordingJoin = ` LEFT JOIN wordings w ON w.article_id = a.id LEFT JOIN relations wr ON wr.id = w.relation_id
	LEFT JOIN articles wa ON wa.id = w.within
	LEFT JOIN LATERAL (SELECT t.id, t.title FROM relation_targets rt JOIN documents t ON t.id = rt.document_id AND NOT t.in_review
		WHERE rt.relation_id = w.relation_id ORDER BY t.id LIMIT 1) target ON true `

// wordingColumn selects the columns of wordingJoin as one JSON value. It is NULL for an
// article of the text itself.
const wordingColumn = `CASE WHEN w.article_id IS NOT NULL THEN jsonb_build_object('within', w.within, 'within_number', wa.number,
	'relation', w.relation_id, 'number', w.number, 'part', w.part, 'inserted', w.inserted, 'target', target.id, 'title', target.title,
	'type', wr.target_type, 'named', wr.target_number, 'called', wr.target_title, 'day', wr.target_on) END`

// ownArticle is the SQL condition that the article a belongs to the text itself and is not
// a new wording.
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

// wording converts the row. If the catalogue lacks the amended text, TargetTitle is the
// name that the amending text uses for it.
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
		day, _ = time.Parse(time.DateOnly, *r.Day) // the database has only valid dates
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

// ending is the end of an article's wording, from a day on.
type ending struct {
	key string // key of the article; "" for the whole text
	day time.Time
}

// effects is what all relations to a text together do to it.
type effects struct {
	status     law.Status // status of the text, unless a person set it
	repealedBy *uuid.UUID
	repealedOn *time.Time
	// endings are the changes that end the wording of articles by replacing or repealing it. A change that only adds to
	// an article ends nothing. A new wording of a whole article ends the old one, even if the amending text only names
	// the division that contains the article.
	endings []ending
}

// effectsOn reads the relations to a text, in one query that is forced to use the indexes:
// otherwise the planner reads all relations of the catalogue for the few thousand that a
// code has.
func effectsOn(ctx context.Context, tx pgx.Tx, target uuid.UUID) (e effects, err error) {
	var numbers []string
	var days []time.Time
	err = tx.QueryRow(ctx, `WITH today AS MATERIALIZED (SELECT law_day(now(), countries) AS day FROM documents WHERE id = $1),
		said AS MATERIALIZED (
			SELECT r.id, r.source_id, r.effective_on, r.target_articles, r.adds, r.kind = 'abroge' AND r.target_articles = '{}' AS ends
			FROM relation_targets t CROSS JOIN LATERAL (SELECT * FROM relations WHERE id = t.relation_id OFFSET 0) r WHERE t.document_id = $1),
		ended AS (
			SELECT n.number, s.effective_on FROM (SELECT DISTINCT target_articles, effective_on FROM said WHERE NOT adds) s, unnest(s.target_articles) n (number)
			UNION SELECT w.number, s.effective_on FROM said s
				CROSS JOIN LATERAL (SELECT number FROM wordings WHERE relation_id = s.id AND NOT inserted AND part = '' OFFSET 0) w)
		SELECT CASE WHEN EXISTS (SELECT FROM said WHERE ends AND effective_on <= (SELECT day FROM today)) THEN 'abroge'
				WHEN EXISTS (SELECT FROM said WHERE effective_on <= (SELECT day FROM today)) THEN 'modifie'
				ELSE 'en_vigueur' END,
			(SELECT source_id FROM said WHERE ends ORDER BY effective_on, id LIMIT 1), (SELECT min(effective_on) FROM said WHERE ends),
			array_agg(number), array_agg(effective_on) FROM ended`, target).Scan(&e.status, &e.repealedBy, &e.repealedOn, &numbers, &days)
	for i, number := range numbers {
		if key := law.ArticleKey(number); key != "" { // a change that names no article ends no wording
			e.endings = append(e.endings, ending{key, days[i]})
		}
	}
	return e, err
}

// endings lists the changes that end wordings of a text: the endings of effectsOn, and the
// end of the text itself, which ends all.
func endings(ctx context.Context, tx pgx.Tx, target uuid.UUID) ([]ending, error) {
	said, err := effectsOn(ctx, tx, target)
	if err != nil {
		return nil, err
	}
	var ended *time.Time
	err = tx.QueryRow(ctx, `SELECT max(repealed_on) FROM documents WHERE id = $1`, target).Scan(&ended) // max: a deleted text has no row and ends nothing
	if err != nil || ended == nil {
		return said.endings, err
	}
	return append(said.endings, ending{"", *ended}), nil
}

// endWordings sets the first days of the new wordings that the targets give, and the last
// day of each new wording of the targets' articles: the first later change to the amended
// article ends the wording, as it ends the article. Wordings whose relation no longer
// amends a text have no end; endWordings looks for them among the wordings of the given
// relations, nil for all wordings. It returns the ids of the texts that give the changed
// wordings, because their index rows change.
func endWordings(ctx context.Context, tx pgx.Tx, targets, relations []uuid.UUID) (giving []uuid.UUID, err error) {
	// A wording that takes effect on its text's first day moves with that day.
	if _, err := tx.Exec(ctx, `UPDATE articles a SET valid_from = r.effective_on FROM wordings w JOIN relations r ON r.id = w.relation_id
		WHERE w.article_id = a.id AND r.source_id = ANY($1) AND a.valid_from IS DISTINCT FROM r.effective_on`, targets); err != nil {
		return nil, err
	}
	// A wording whose relation amends no text of the catalogue is in force until its own text
	// ends.
	given := `(SELECT w.* FROM unnest($1::uuid[]) x (id) CROSS JOIN LATERAL (SELECT * FROM wordings WHERE relation_id = x.id OFFSET 0) w)`
	if relations == nil {
		given = `(SELECT * FROM wordings WHERE $1::uuid[] IS NULL)`
	}
	if giving, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `UPDATE articles a SET valid_to = NULL FROM `+given+` w WHERE w.article_id = a.id AND a.valid_to IS NOT NULL
		AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = w.relation_id) RETURNING a.document_id`, relations); err != nil {
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

// endWordingsOf sets the last days of the new wordings of one text's articles.
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

// firstAfter returns the first day on which an article, or the whole text, ends; nil if there
// is none. Days up to from are ignored.
func firstAfter(ends []ending, number string, from time.Time) (first *time.Time) {
	key := law.ArticleKey(number)
	for _, e := range ends {
		if (e.key == "" || e.key == key) && e.day.After(from) && (first == nil || e.day.Before(*first)) {
			first = &e.day
		}
	}
	return first
}

// ReadQuoted reads the passages of the given articles that consist of new wordings, without
// spans. The passage index does not contain these passages.
func (db *DB) ReadQuoted(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]law.Passage, error) {
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
