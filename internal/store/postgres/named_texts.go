package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// NamedText is a text of the catalogue with all names that a question may use for it, and
// whether it is in force.
type NamedText struct {
	Document   law.Document
	Countries  []string   // codes of the countries whose law the text is; empty if unknown
	RepealedOn *time.Time // first day no longer in force; nil if unknown
	// ForceWords is the text's clause about its entry into force, "" if none was read.
	ForceWords string
}

// ArticleDays is an article of a text, or a new wording that another text gives to an
// article, and the days on which it is in force.
type ArticleDays struct {
	ID         uuid.UUID
	Number     string // number of the article; for a new wording, of the amended article
	NewWording bool   // whether another text gives this wording
	Part       string // part of the article that a new wording replaces; "" for the whole article
	From       time.Time
	To         *time.Time // first day no longer in force; nil if unknown
}

// ArticleDays lists the numbered articles of a text in order, followed by the new wordings
// of its articles that texts of the catalogue give, oldest first.
func (db *DB) ArticleDays(ctx context.Context, document uuid.UUID) ([]ArticleDays, error) {
	list, err := collect(ctx, db.pool, func(row pgx.CollectableRow) (a ArticleDays, err error) {
		err = row.Scan(&a.ID, &a.Number, &a.NewWording, &a.Part, &a.From, &a.To)
		return a, err
	}, `SELECT id, number, anew, part, since, until FROM (
			SELECT a.id, a.number, false AS anew, '' AS part, greatest(d.in_force_on, a.valid_from) AS since, least(`+citableTo+`) AS until, a.position
			FROM articles a JOIN documents d ON d.id = a.document_id WHERE a.document_id = $1 AND a.number <> '' AND `+ownArticle+`
			UNION ALL
			SELECT a.id, w.number, true, w.part, greatest(d.in_force_on, a.valid_from), least(`+citableTo+`), a.position
			FROM relation_targets t JOIN wordings w ON w.relation_id = t.relation_id JOIN articles a ON a.id = w.article_id
				JOIN documents d ON d.id = a.document_id WHERE t.document_id = $1 AND NOT d.in_review) x
		ORDER BY anew, CASE WHEN anew THEN since END, position`, document)
	return list, classify("days of articles of "+document.String(), err)
}

// WordedAnew lists the new wordings that texts of the catalogue give to articles of a text
// outside the catalogue, oldest first. The number or the beginning of the title identifies
// that text. source maps the id of each wording to the id of the text that gives it.
func (db *DB) WordedAnew(ctx context.Context, number, title string) (list []ArticleDays, source map[uuid.UUID]uuid.UUID, err error) {
	rows, err := db.pool.Query(ctx, `SELECT a.id, w.number, w.part, greatest(d.in_force_on, a.valid_from) AS since, least(a.valid_to, d.repealed_on), d.id
		FROM relations r JOIN wordings w ON w.relation_id = r.id JOIN articles a ON a.id = w.article_id JOIN documents d ON d.id = a.document_id
		WHERE NOT d.in_review AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = r.id)
			AND CASE WHEN $1 <> '' THEN r.target_number <> '' AND number_stem(r.target_number) = number_stem($1)
				ELSE r.target_number = '' AND r.target_title <> '' AND strpos(fold($2), fold(r.target_title)) = 1 END
		ORDER BY since, a.position`, number, title)
	if err != nil {
		return nil, nil, classify("new wordings", err)
	}
	source = make(map[uuid.UUID]uuid.UUID)
	list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (ArticleDays, error) {
		a := ArticleDays{NewWording: true}
		var from uuid.UUID
		err := row.Scan(&a.ID, &a.Number, &a.Part, &a.From, &a.To, &from)
		source[a.ID] = from
		return a, err
	})
	return list, source, classify("new wordings", err)
}

// FoundArticles reads articles by id, each as its passages in order, without spans. An
// article that has left the catalogue is absent from the map.
func (db *DB) FoundArticles(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]Found, error) {
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT p.id FROM passages p WHERE p.article_id = ANY($1) ORDER BY p.article_id, p.position`, articles)
	if err != nil {
		return nil, classify("passages of articles", err)
	}
	found, err := db.Found(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID][]Found)
	for _, id := range ids {
		if f, ok := found[id]; ok {
			out[f.Article.ID] = append(out[f.Article.ID], f)
		}
	}
	return out, nil
}

// FirstArticle returns the id of the first numbered article of a text, or of its first
// article if none is numbered. NotFound if the catalogue has no such text.
func (db *DB) FirstArticle(ctx context.Context, document uuid.UUID) (id uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, `SELECT a.id FROM articles a JOIN documents d ON d.id = a.document_id
		WHERE a.document_id = $1 AND NOT d.in_review AND EXISTS (SELECT FROM passages p WHERE p.article_id = a.id)
		ORDER BY a.number = '', a.position LIMIT 1`, document).Scan(&id)
	return id, classify("first article of "+document.String(), err)
}

// ArticleSaying returns the id of the article of a text that contains the given words,
// regardless of white space. ok is false if no article does.
func (db *DB) ArticleSaying(ctx context.Context, document uuid.UUID, words string) (id uuid.UUID, ok bool, err error) {
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT a.id FROM articles a WHERE a.document_id = $1
		AND strpos(regexp_replace(a.body, '\s+', ' ', 'g'), regexp_replace($2, '\s+', ' ', 'g')) > 0 AND EXISTS (SELECT FROM passages p WHERE p.article_id = a.id)
		ORDER BY a.position DESC LIMIT 1`, document, words)
	if err != nil || len(ids) == 0 {
		return id, false, classify("article that says", err)
	}
	return ids[0], true, nil
}

// Change is a change that an article of one text makes to another text.
type Change struct {
	law.Relation
	Target *uuid.UUID // changed text; a change of a text that several files contain is one Change per file
}

const changeColumns = `SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on,
	r.target_articles, r.effective_on, r.adds, t.document_id`

func collectChanges(rows pgx.Rows, err error) ([]Change, error) {
	if err != nil {
		return nil, classify("changes between texts", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Change, err error) {
		err = row.Scan(&c.ID, &c.SourceID, &c.SourceArticle, &c.Kind, &c.TargetType, &c.TargetNumber, &c.TargetTitle, &c.TargetDate,
			&c.TargetArticles, &c.Effective, &c.Adds, &c.Target)
		return c, err
	})
	return list, classify("changes between texts", err)
}

// ChangesTo lists the changes that texts of the catalogue make to a text, oldest first, from relations and from the
// versions of its articles.
func (db *DB) ChangesTo(ctx context.Context, document uuid.UUID) ([]Change, error) {
	told, err := collectChanges(db.pool.Query(ctx, changeColumns+` FROM relation_targets t JOIN relations r ON r.id = t.relation_id
		JOIN documents s ON s.id = r.source_id JOIN articles a ON a.id = r.source_article
		WHERE t.document_id = $1 AND NOT s.in_review ORDER BY r.effective_on, s.promulgated_on, r.source_id, a.position, r.id`, document))
	if err != nil {
		return nil, err
	}
	made, err := collectChanges(db.pool.Query(ctx, `SELECT x.source_article, v.act_id, x.source_article, CASE WHEN v.gone THEN 'abroge' ELSE 'modifie' END, '', '', '', NULL::date,
			array_agg(v.number ORDER BY v.place), v.valid_from, false, v.document_id
		FROM article_versions v CROSS JOIN LATERAL (SELECT (v.evidence->0->>'article_id')::uuid AS source_article) x
			JOIN documents s ON s.id = v.act_id AND NOT s.in_review JOIN articles a ON a.id = x.source_article
		WHERE v.document_id = $1 AND v.valid_from IS NOT NULL
		GROUP BY v.document_id, v.act_id, x.source_article, v.gone, v.valid_from, s.promulgated_on, a.position
		ORDER BY v.valid_from, s.promulgated_on, v.act_id, a.position, v.gone`, document))
	if err != nil {
		return nil, err
	}
	for _, c := range made {
		c.TargetArticles = slices.DeleteFunc(c.TargetArticles, func(number string) bool {
			return slices.ContainsFunc(told, func(r Change) bool {
				return r.SourceID == c.SourceID && (len(r.TargetArticles) == 0 || names(r.TargetArticles, number))
			})
		})
		if len(c.TargetArticles) > 0 {
			told = append(told, c)
		}
	}
	slices.SortStableFunc(told, func(a, b Change) int { return a.Effective.Compare(b.Effective) })
	return told, nil
}

// ChangesBy lists the changes that a text makes to other texts, in the order of its
// articles. Target is nil if the catalogue lacks the changed text.
func (db *DB) ChangesBy(ctx context.Context, document uuid.UUID) ([]Change, error) {
	return collectChanges(db.pool.Query(ctx, changeColumns+` FROM relations r JOIN articles a ON a.id = r.source_article
		LEFT JOIN LATERAL (SELECT min(x.document_id::text)::uuid AS document_id FROM relation_targets x JOIN documents d ON d.id = x.document_id
			WHERE x.relation_id = r.id AND NOT d.in_review) t ON true
		WHERE r.source_id = $1 ORDER BY a.position, r.id`, document))
}

// ChangesToNumber lists the changes that texts of the catalogue make to texts with a
// number, oldest first, whether or not the catalogue has the changed texts.
func (db *DB) ChangesToNumber(ctx context.Context, number string) ([]Change, error) {
	return collectChanges(db.pool.Query(ctx, changeColumns+` FROM relations r JOIN documents s ON s.id = r.source_id
		JOIN articles a ON a.id = r.source_article LEFT JOIN LATERAL (SELECT NULL::uuid AS document_id) t ON true
		WHERE r.target_number <> '' AND number_stem(r.target_number) = number_stem($1) AND NOT s.in_review
		ORDER BY r.effective_on, r.source_id, a.position, r.id`, number))
}
