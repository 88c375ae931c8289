package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

// Articles lists the articles of a text of the catalogue in order, without the text of the
// articles. Each article has the first and the last day on which it is law; unless a change
// set them, these are the days of the whole text. New wordings that the text gives to other
// texts follow the article that contains them. NotFound if the
// catalogue has no such text. Which articles are law on a day, ReadArticlesOn says.
func (db *DB) Articles(ctx context.Context, document uuid.UUID) ([]law.Article, error) {
	if _, err := db.Document(ctx, document); err != nil {
		return nil, err
	}
	articles, err := printedArticles(ctx, db.pool, document)
	return articles, classify("articles of "+document.String(), err)
}

// printedArticles lists the articles of a text as Articles does, also of a text that is not in the catalogue.
func printedArticles(ctx context.Context, q querier, document uuid.UUID) ([]law.Article, error) {
	return collect(ctx, q, func(r pgx.CollectableRow) (a law.Article, err error) {
		var w *wordingRow
		err = r.Scan(&a.ID, &a.DocumentID, &a.Position, &a.Number, &a.Path, &a.Heading, &a.Page, &a.ValidFrom, &a.ValidTo, &w)
		a.Wording = w.wording()
		return a, err
	}, `SELECT a.id, a.document_id, a.position, a.number, a.path, a.heading, a.page, `+inForce+`, `+wordingColumn+`
		FROM articles a JOIN documents d ON d.id = a.document_id`+wordingJoin+` WHERE a.document_id = $1 ORDER BY a.position`, document)
}

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
	return collect(ctx, tx, pgx.RowToStructByPos[related], `SELECT r.kind || '_par', r.source_id, r.source_article, s.title, r.effective_on::text, r.target_articles
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

// AssembledBy says which act made the wording of an article.
type AssembledBy struct {
	Act      uuid.UUID
	Title    string // of the act; "" if it has just left the catalogue
	Evidence []Evidence
	Alineas  []ChangedAlinea // nil unless the words are read
}

// ReadArticlesOn returns one page of the articles of a text that are in force on a day, with
// their words as they are that day if words is set, and the number of all. An article that an
// act has changed has the version of that day, which is assembled if Assembled is not nil; an
// article that was inserted follows the one that its number follows. New wordings that the
// text gives to other texts are listed as Articles does, those of whole articles that a later
// act has changed in their words of that day.
func (db *DB) ReadArticlesOn(ctx context.Context, document uuid.UUID, day time.Time, page, size int, words bool) (list []ReadArticle, total int, err error) {
	err = db.onDay(ctx, document, day, func(all []law.Article, read readFunc) error {
		total = len(all)
		start := min(int64(page-1)*int64(size), int64(total))
		list, err = read(all[start:min(start+int64(size), int64(total))], words)
		return err
	})
	return list, total, classify("articles of "+document.String(), err)
}

// ReadArticleOn returns the article of a text with a number, as ReadArticlesOn shows it with its
// words. NotFound if there is no such text, or no such article on that day.
func (db *DB) ReadArticleOn(ctx context.Context, document uuid.UUID, number string, day time.Time) (a ReadArticle, err error) {
	list, err := db.ReadArticlesNumbered(ctx, document, []string{number}, day)
	if err == nil && len(list) == 0 {
		err = classify("article "+number+" of "+document.String(), pgx.ErrNoRows)
	}
	if err != nil {
		return a, err
	}
	return list[0], nil
}

// ReadArticlesNumbered returns the articles of a text with the given numbers, as ReadArticleOn returns each of them. It
// leaves out articles that the text does not have on that day. NotFound if there is no such text.
func (db *DB) ReadArticlesNumbered(ctx context.Context, document uuid.UUID, numbers []string, day time.Time) (list []ReadArticle, err error) {
	wanted := map[string]bool{}
	for _, n := range numbers {
		wanted[law.ArticleKey(n)] = true
	}
	err = db.onDay(ctx, document, day, func(all []law.Article, read readFunc) error {
		var articles []law.Article
		for _, a := range all {
			if key := law.ArticleKey(a.Number); a.Wording == nil && a.Number != "" && wanted[key] {
				wanted[key] = false // the first one
				articles = append(articles, a)
			}
		}
		if len(articles) == 0 {
			return nil
		}
		list, err = read(articles, true)
		return err
	})
	return list, classify("articles of "+document.String(), err)
}

// ReadArticleByID returns the article of a text with an id, as ReadArticlesOn shows it with its
// words. NotFound if there is no such text, or no such article on that day.
func (db *DB) ReadArticleByID(ctx context.Context, document, id uuid.UUID, day time.Time) (a ReadArticle, err error) {
	err = db.onDay(ctx, document, day, func(all []law.Article, read readFunc) error {
		pos := slices.IndexFunc(all, func(a law.Article) bool { return a.ID == id })
		if pos < 0 {
			return pgx.ErrNoRows
		}
		list, err := read(all[pos:pos+1], true)
		if err == nil {
			a = list[0]
		}
		return err
	})
	return a, classify("article "+id.String(), err)
}

// insertedArticle returns an article that acts have inserted into a text, in its version of a
// day, or else in its last wording.
func insertedArticle(ctx context.Context, tx pgx.Tx, document, id uuid.UUID, day time.Time) (a ReadArticle, err error) {
	list, err := versionsWhere(ctx, tx, `v.document_id = $1 AND v.article_id = $2`, document, id)
	if err != nil {
		return a, err
	}
	v := VersionOn(list, day)
	for i := len(list) - 1; i >= 0 && (v == nil || v.Gone); i-- {
		v = &list[i]
	}
	if v == nil || v.Gone || !v.Inserted {
		return a, pgx.ErrNoRows
	}
	var page int
	if err := tx.QueryRow(ctx, `SELECT first_page FROM documents WHERE id = $1`, document).Scan(&page); err != nil {
		return a, err
	}
	read, err := readOn(ctx, tx, document, []law.Article{{ID: id, DocumentID: document, Number: v.Number, Path: v.Path, Page: page, ValidFrom: v.From, ValidTo: v.To}},
		map[uuid.UUID]*ArticleVersion{id: v}, true)
	if err != nil {
		return a, err
	}
	return read[0], nil
}

// readFunc completes articles of a day: it reads their versions of that day, with their words if words is set.
type readFunc func(articles []law.Article, words bool) ([]ReadArticle, error)

// onDay calls f with the articles of a text on a day, without their words, and with what reads them, in one snapshot.
func (db *DB) onDay(ctx context.Context, document uuid.UUID, day time.Time, f func(all []law.Article, read readFunc) error) error {
	d, err := db.Document(ctx, document)
	if err != nil {
		return err
	}
	return db.snapshot(ctx, func(tx pgx.Tx) error {
		all, spans, err := articlesOn(ctx, tx, d, day)
		if err != nil {
			return err
		}
		return f(all, func(articles []law.Article, words bool) ([]ReadArticle, error) {
			var changed []uuid.UUID
			for _, a := range articles {
				if spans[a.ID] != nil {
					changed = append(changed, a.ID)
				}
			}
			versions := make(map[uuid.UUID]*ArticleVersion, len(changed))
			if len(changed) > 0 {
				list, err := versionsIn(ctx, tx, versionsRead, `v.document_id = $1 AND `+versionOfDay+` AND v.article_id = ANY($3)`, document, day, changed)
				if err != nil {
					return nil, err
				}
				for i := range list {
					versions[list[i].Article] = &list[i]
				}
			}
			return readOn(ctx, tx, document, articles, versions, words)
		})
	})
}

// versionOfDay chooses the version v that is in force on the day $2.
const versionOfDay = `(v.valid_from IS NULL OR v.valid_from <= $2) AND (v.valid_to IS NULL OR v.valid_to > $2)`

// readOn completes articles of a day with the acts that made their wordings, and with their
// words if words is set.
func readOn(ctx context.Context, tx pgx.Tx, document uuid.UUID, articles []law.Article, versions map[uuid.UUID]*ArticleVersion, words bool) (list []ReadArticle, err error) {
	var ids, acts []uuid.UUID
	for _, a := range articles {
		ids = append(ids, a.ID)
		if v := versions[a.ID]; v != nil && v.Act != nil {
			acts = append(acts, *v.Act)
		}
	}
	titles, err := relatedTexts(ctx, tx, acts)
	if err != nil {
		return nil, err
	}
	printed := make(map[uuid.UUID]ReadArticle)
	if words {
		read, err := readArticles(ctx, tx, document, ` FROM articles a JOIN documents d ON d.id = a.document_id`+wordingJoin+`
			WHERE a.document_id = $1 AND a.id = ANY($2)`, document, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range read {
			printed[r.ID] = r
		}
	}
	for _, a := range articles {
		one, ok := printed[a.ID]
		if !ok {
			one = ReadArticle{Article: a, Changes: []law.RelationRef{}}
		} else {
			one.ValidFrom, one.ValidTo = a.ValidFrom, a.ValidTo
		}
		if v := versions[a.ID]; v != nil && v.Act != nil {
			one.Text, one.Spans = v.Body, nil
			one.Assembled = &AssembledBy{Act: *v.Act, Title: titles[*v.Act].Title, Evidence: v.Evidence}
		}
		list = append(list, one)
	}
	if words {
		err = withAlineas(ctx, tx, document, list)
	}
	return list, err
}

// articlesOn lists the articles of a text on a day, without their words, and the versions of
// that day by article.
func articlesOn(ctx context.Context, tx pgx.Tx, d law.Document, date time.Time) (list []law.Article, spans map[uuid.UUID]*versionSpan, err error) {
	var ended *time.Time
	if err := tx.QueryRow(ctx, `SELECT repealed_on FROM documents WHERE id = $1`, d.ID).Scan(&ended); err != nil {
		return nil, nil, err
	}
	open := !date.Before(d.EntersInForce) && (ended == nil || date.Before(*ended))
	printed, err := printedArticles(ctx, tx, d.ID)
	if err != nil {
		return nil, nil, err
	}
	table := `article_versions`
	if slices.ContainsFunc(printed, func(a law.Article) bool { return a.Wording != nil && a.Wording.Part == "" }) {
		table = versionsRead
	}
	spans, inserted, err := spansOn(ctx, tx, table, d.ID, date)
	if err != nil {
		return nil, nil, err
	}
	earlier := func(day *time.Time) *time.Time {
		if ended != nil && (day == nil || ended.Before(*day)) {
			return ended
		}
		return day
	}
	for _, a := range printed {
		v := spans[a.ID]
		switch {
		case v == nil:
			if date.Before(*a.ValidFrom) || a.ValidTo != nil && !date.Before(*a.ValidTo) {
				continue
			}
		case !open || v.Gone:
			continue
		default:
			if v.From != nil {
				a.ValidFrom = v.From
			}
			a.ValidTo = earlier(v.To)
		}
		list = append(list, a)
	}
	for _, v := range inserted {
		if !open || v.Gone {
			continue
		}
		pos := len(list)
		for i, other := range slices.Backward(list) {
			if other.Wording == nil && other.Number != "" && amend.CompareNumbers(other.Number, v.Number) < 0 {
				pos = i + 1
				break
			}
		}
		a := law.Article{ID: v.Article, DocumentID: d.ID, Number: v.Number, Path: v.Path, Page: d.FirstPage, ValidFrom: v.From, ValidTo: earlier(v.To)}
		if pos > 0 {
			a.Position, a.Page = list[pos-1].Position, list[pos-1].Page
		}
		list = slices.Insert(list, pos, a)
	}
	return list, spans, nil
}

// versionSpan is when a version of an article is law, without its words and the act that made it.
type versionSpan struct {
	Article        uuid.UUID
	Number         string
	Path           []string
	From, To       *time.Time
	Gone, Inserted bool
}

// spansOn returns the versions that are law on a day: by article those that acts have changed, and in the order of
// the text those that acts have inserted. It leaves out wordings and evidence, which take megabytes for a code of 3,000
// articles. table is article_versions, or versionsRead if the text contains whole new wordings of articles.
func spansOn(ctx context.Context, tx pgx.Tx, table string, document uuid.UUID, day time.Time) (spans map[uuid.UUID]*versionSpan, inserted []*versionSpan, err error) {
	list, err := collect(ctx, tx, pgx.RowToStructByPos[versionSpan], `SELECT v.article_id, v.number, v.path, v.valid_from, v.valid_to, v.gone, a.id IS NULL
		FROM `+table+` v JOIN documents d ON d.id = v.document_id AND NOT d.in_review LEFT JOIN articles a ON a.id = v.article_id AND a.document_id = v.document_id
		WHERE v.document_id = $1 AND `+versionOfDay+` ORDER BY v.place, v.article_key, v.ordinal`, document, day)
	if err != nil {
		return nil, nil, err
	}
	spans = make(map[uuid.UUID]*versionSpan, len(list))
	for i := range list {
		v := &list[i]
		spans[v.Article] = v
		if v.Inserted {
			inserted = append(inserted, v)
		}
	}
	return spans, inserted, nil
}

// VersionsOf returns the versions of one article of a text, the oldest first. The article is a printed one, a new
// wording of another text's article, or an inserted one as ReadArticlesOn lists them. If no act has changed the
// article, its only version is the printed one. NotFound if the text has no such article.
func (db *DB) VersionsOf(ctx context.Context, document, article uuid.UUID) (list []ArticleVersion, titles map[uuid.UUID]string, err error) {
	if _, err := db.Document(ctx, document); err != nil {
		return nil, nil, err
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if list, err = versionsIn(ctx, tx, versionsRead, `v.document_id = $1 AND v.article_id = $2`, document, article); err != nil {
			return err
		}
		if len(list) == 0 {
			v := ArticleVersion{Document: document, Article: article}
			err := tx.QueryRow(ctx, `SELECT a.number, a.path, a.page, a.body, `+inForce+` FROM articles a JOIN documents d ON d.id = a.document_id
				WHERE a.document_id = $1 AND a.id = $2`, document, article).Scan(&v.Number, &v.Path, &v.Page, &v.Body, &v.From, &v.To)
			list = []ArticleVersion{v}
			return err
		}
		titles, err = actTitles(ctx, tx, list)
		return err
	})
	return list, titles, classify("versions of article "+article.String(), err)
}

// VersionsOfText returns the versions of the articles of a text that acts have changed, in the
// order of the text, and the titles of the acts. NotFound if there is no such text.
func (db *DB) VersionsOfText(ctx context.Context, document uuid.UUID) (list []ArticleVersion, titles map[uuid.UUID]string, err error) {
	if _, err := db.Document(ctx, document); err != nil {
		return nil, nil, err
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if list, err = versionsWhere(ctx, tx, `v.document_id = $1`, document); err != nil {
			return err
		}
		titles, err = actTitles(ctx, tx, list)
		return err
	})
	return list, titles, classify("versions of "+document.String(), err)
}

// actTitles returns the titles of the acts that made versions.
func actTitles(ctx context.Context, tx pgx.Tx, articleVersions []ArticleVersion) (map[uuid.UUID]string, error) {
	var acts []uuid.UUID
	for _, v := range articleVersions {
		if v.Act != nil {
			acts = append(acts, *v.Act)
		}
	}
	return titlesOf(ctx, tx, acts)
}

func titlesOf(ctx context.Context, tx pgx.Tx, acts []uuid.UUID) (map[uuid.UUID]string, error) {
	texts, err := relatedTexts(ctx, tx, acts)
	titles := make(map[uuid.UUID]string, len(texts))
	for id, t := range texts {
		titles[id] = t.Title
	}
	return titles, err
}

// VersionOn returns the version of an article that is in force on a day; nil if there is none.
func VersionOn(articleVersions []ArticleVersion, day time.Time) *ArticleVersion {
	for i, v := range articleVersions {
		if (v.From == nil || !v.From.After(day)) && (v.To == nil || v.To.After(day)) {
			return &articleVersions[i]
		}
	}
	return nil
}

// ChangeDay is a day from which a text reads otherwise than the day before.
type ChangeDay struct {
	Day      time.Time
	Articles int         // articles that change; 0 if only the whole text begins or ends
	Acts     []uuid.UUID // acts that change them, if known
}

// ChangeDays lists the days on which a text changes, the earliest first, and the titles of the
// acts. The first is the one on which it enters into force. NotFound if there is no such text.
func (db *DB) ChangeDays(ctx context.Context, document uuid.UUID) (list []ChangeDay, titles map[uuid.UUID]string, err error) {
	if _, err := db.Document(ctx, document); err != nil {
		return nil, nil, err
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if list, err = collect(ctx, tx, pgx.RowToStructByPos[ChangeDay], `SELECT c.day, count(DISTINCT c.article), coalesce(array_agg(DISTINCT c.act_id) FILTER (WHERE c.act_id IS NOT NULL), '{}') FROM (
				SELECT unnest(ARRAY[d.in_force_on, d.repealed_on]) AS day, NULL::uuid AS article, NULL::uuid AS act_id FROM documents d WHERE d.id = $1
				UNION ALL SELECT v.valid_from, v.article_id, v.act_id FROM `+versionsRead+` v WHERE v.document_id = $1 AND v.act_id IS NOT NULL
				UNION ALL SELECT unnest(ARRAY[a.valid_from, a.valid_to]), a.id, NULL FROM articles a WHERE a.document_id = $1
					AND NOT EXISTS (SELECT FROM article_versions v WHERE v.document_id = $1 AND v.article_id = a.id)) c
			WHERE c.day IS NOT NULL GROUP BY c.day ORDER BY c.day`, document); err != nil {
			return err
		}
		var acts []uuid.UUID
		for _, c := range list {
			acts = append(acts, c.Acts...)
		}
		titles, err = titlesOf(ctx, tx, acts)
		return err
	})
	return list, titles, classify("days of "+document.String(), err)
}

// WholeText returns a text in the catalogue or in review, with the text of its articles and
// its relations, but without passages and positions. NotFound if there is no such text.
func (db *DB) WholeText(ctx context.Context, id uuid.UUID) (t StoredText, err error) {
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
