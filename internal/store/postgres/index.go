package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

// IndexRow is what a passage index stores for a passage.
type IndexRow struct {
	Passage        law.Passage // without spans
	ArticleNumber  string
	Path           []string // headings above the article, outermost first
	ArticleHeading string
	Title          string
	Type           law.DocType
	Domain         string
	OfficialNumber string
	Status         law.Status
	Countries      []string   // codes of the countries whose law the text is; empty if unknown
	From           time.Time  // first day in force
	To             *time.Time // first day no longer in force; nil if unknown
	// NewWording: the article gives a new wording to an article of other texts. Amended are
	// the ids of those texts that the catalogue has; ArticleNumber is the number of the
	// amended article, and Path ends with the title of the amended text.
	NewWording bool
	Amended    []uuid.UUID
}

// inForce selects the first day of an article and the day after its last.
const inForce = `greatest(d.in_force_on, coalesce(a.valid_from, d.in_force_on)), least(a.valid_to, d.repealed_on)`

// citable is inForce with the days of the article's assembled versions. A search that reads an article checks each
// version (FoundVersion).
const citable = `greatest(d.in_force_on, coalesce(a.valid_from, d.in_force_on)), least(` + citableTo + `)`

const citableTo = `nullif(coalesce(a.assembled_to, a.valid_to), 'infinity'), d.repealed_on`

// IndexRows reads the passages of the given texts, or of the whole catalogue if documents
// is nil, and calls yield for each, ordered by text and position. It stops at the first
// error of yield.
func (db *DB) IndexRows(ctx context.Context, documents []uuid.UUID, yield func(IndexRow) error) error {
	if documents == nil {
		return classify("index rows", db.indexAll(ctx, textsAtOnce, yield))
	}
	return classify("index rows", indexRows(ctx, db.pool, `d.id = ANY($1)`, documents, yield))
}

// textsAtOnce is how many texts one statement of indexAll reads, so that no statement
// exceeds its timeout, however large the catalogue is, and no snapshot stays open for the
// hours that a full read takes.
const textsAtOnce = 5_000

// indexAll reads the rows of all texts in the order of their ids, in batches. A caller
// notes the version of the catalogue before; a text that changes during the read gets a
// later version, and the caller reads it again.
func (db *DB) indexAll(ctx context.Context, atOnce int, yield func(IndexRow) error) error {
	for last := uuid.Nil; ; {
		var ids []uuid.UUID
		err := db.pool.QueryRow(ctx, `SELECT coalesce(array_agg(id ORDER BY id), '{}')
			FROM (SELECT id FROM documents WHERE id > $1 ORDER BY id LIMIT $2) d`, last, atOnce).Scan(&ids)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := indexRows(ctx, db.pool, `d.id = ANY($1)`, ids, yield); err != nil {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// indexRows reads the rows of the passages that satisfy the SQL condition which. Its
// argument is ids.
func indexRows(ctx context.Context, from querier, which string, ids []uuid.UUID, yield func(IndexRow) error) error {
	rows, err := from.Query(ctx, `SELECT p.id, p.document_id, p.article_id, p.position, p.page, p.body,
			coalesce(w.number, a.number), a.path, a.heading, d.title, d.doc_type, d.domaine, d.numero_officiel, d.statut, d.countries, `+citable+`,
			`+wordingColumn+`, ARRAY(SELECT rt.document_id FROM relation_targets rt WHERE rt.relation_id = w.relation_id ORDER BY 1),
			CASE WHEN a.assembled_to IS NOT NULL AND p.position = (SELECT min(position) FROM passages first WHERE first.article_id = a.id AND NOT first.quoted)
				THEN (SELECT jsonb_agg(jsonb_build_object('body', v.body, 'changes', v.changes)) FROM article_versions v
					WHERE v.printed_in = a.id AND v.act_id IS NOT NULL AND NOT v.gone AND NOT v.served) END
		FROM passages p JOIN articles a ON a.id = p.article_id JOIN documents d ON d.id = p.document_id`+wordingJoin+`
		WHERE NOT d.in_review AND NOT p.quoted AND `+which+` ORDER BY d.id, p.position`, ids)
	if err != nil {
		return err
	}
	var r IndexRow
	var w *wordingRow
	var assembled []assembledWords
	_, err = pgx.ForEachRow(rows, []any{&r.Passage.ID, &r.Passage.DocumentID, &r.Passage.ArticleID, &r.Passage.Position,
		&r.Passage.Page, &r.Passage.Text, &r.ArticleNumber, &r.Path, &r.ArticleHeading, &r.Title, &r.Type, &r.Domain,
		&r.OfficialNumber, &r.Status, &r.Countries, &r.From, &r.To, &w, &r.Amended, &assembled}, func() error {
		for _, v := range assembled {
			r.Passage.Text += v.addedWords()
		}
		if w != nil {
			r.NewWording, r.Path = true, append(r.Path, w.wording().TargetTitle)
		}
		err := yield(r)
		r, w, assembled = IndexRow{}, nil, nil // new values, because pgx fills slices in place
		return err
	})
	return err
}

// assembledWords is a version of an article with the bytes that an act added.
type assembledWords struct {
	Body    string       `json:"body"`
	Changes []amend.Span `json:"changes"`
}

// addedWords returns the words that the act added, each run on a line. The passages are found by these words in addition to
// the printed ones.
func (v assembledWords) addedWords() string {
	var b strings.Builder
	for _, c := range v.Changes {
		if 0 <= c.Start && c.Start < c.End && c.End <= len(v.Body) {
			b.WriteString("\n" + v.Body[c.Start:c.End])
		}
	}
	return b.String()
}

// CatalogueVersion returns the number of the last change to the searchable texts, 0 before
// the first change.
func (db *DB) CatalogueVersion(ctx context.Context) (version int64, err error) {
	err = db.pool.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM catalogue_changes`).Scan(&version)
	return version, classify("catalogue version", err)
}

// CatalogueMoment returns the time at which the catalogue got the given version. NotFound
// if there is no such version.
func (db *DB) CatalogueMoment(ctx context.Context, version int64) (at time.Time, err error) {
	err = db.pool.QueryRow(ctx, `SELECT changed_at FROM catalogue_changes WHERE version = $1`, version).Scan(&at)
	return at, classify("moment of a catalogue version", err)
}

// Changes lists each text that changed after the given version, and returns the version
// that includes these changes. A listed text without index rows was removed.
func (db *DB) Changes(ctx context.Context, after int64) (documents []uuid.UUID, version int64, err error) {
	rows, err := db.pool.Query(ctx, `SELECT document_id, max(version) FROM catalogue_changes
		WHERE version > $1 GROUP BY document_id`, after)
	if err != nil {
		return nil, after, classify("changes", err)
	}
	version = after
	var id uuid.UUID
	var at int64
	_, err = pgx.ForEachRow(rows, []any{&id, &at}, func() error {
		documents = append(documents, id)
		version = max(version, at)
		return nil
	})
	return documents, version, classify("changes", err)
}

// Found is the current state of a passage, with all that a citation shows.
type Found struct {
	Passage    law.Passage // without spans
	Article    law.Article // without Text and Spans
	Document   law.Document
	From       time.Time  // first day in force
	To         *time.Time // first day no longer in force; nil if unknown
	RepealedOn *time.Time // day from which the whole text is repealed
	Relations  []law.RelationRef
	Versions   []FoundVersion // of the article, oldest first; empty if no act changes or ends it
}

// foundVersions selects the versions of article a, and those that continue its printed words, as
// a list of FoundVersion, oldest first; NULL if no act changes or ends it.
const foundVersions = `CASE WHEN a.assembled_to IS NOT NULL THEN (SELECT jsonb_agg(jsonb_build_object('body', v.body, 'from', v.valid_from, 'to', v.valid_to,
	'gone', v.gone, 'elsewhere', v.printed_in IS DISTINCT FROM a.id, 'act', CASE WHEN NOT v.served THEN v.act_id END, 'title', coalesce(act.title, ''),
	'evidence', v.evidence, 'spans', v.spans) ORDER BY v.ordinal)
	FROM article_versions v LEFT JOIN documents act ON act.id = v.act_id WHERE a.id IN (v.article_id, v.printed_in)) END`

// FoundVersion is a version of an article as a search reads it.
type FoundVersion struct {
	Body      string     `json:"body"`
	From      *string    `json:"from"` // nil: that of the text
	To        *string    `json:"to"`   // first day no longer in force; nil: open
	Gone      bool       `json:"gone"`
	Elsewhere bool       `json:"elsewhere"` // it continues the printed words of another article, and is found there
	Act       *uuid.UUID `json:"act"`       // nil: as printed
	Title     string     `json:"title"`     // of the act
	Evidence  []Evidence `json:"evidence"`
	Spans     []law.Span `json:"spans"` // places of the printed words that the version keeps
}

// related is a relation as Found reads it. It concerns the articles that it names, or the
// whole text if it names none.
type related struct {
	law.RelationRef
	Articles []string `json:"articles"`
}

// Found reads passages by id, without spans. A passage that has left the catalogue is
// absent from the map. Search results are checked with Found, so that a deleted text is
// never cited.
func (db *DB) Found(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]Found, error) {
	// The relations of a text are read once, not once for each of its passages.
	rows, err := db.pool.Query(ctx, `WITH about AS MATERIALIZED (
			SELECT document_id FROM passages WHERE id = ANY($1)
			UNION SELECT t.document_id FROM passages p JOIN wordings w ON w.article_id = p.article_id
				JOIN relation_targets t ON t.relation_id = w.relation_id WHERE p.id = ANY($1)),
		happened AS MATERIALIZED (
			SELECT c.target_id AS document_id, jsonb_agg(jsonb_build_object('type', c.kind || '_par', 'document_id', c.source_id,
				'article_id', c.source_article, 'title', s.title, 'date', c.effective_on, 'articles', c.target_articles) ORDER BY c.effective_on, c.id) AS list
			FROM about CROSS JOIN LATERAL (`+changesWhere(`t.document_id = about.document_id`, `h.id = about.document_id`)+`) c
				JOIN documents s ON s.id = c.source_id
			GROUP BY c.target_id)
		SELECT p.id, p.position, p.page, p.body,
			a.id, a.position, a.number, a.path, a.heading, a.page, d.repealed_on, `+citable+`, `+wordingColumn+`, happened.list,
			`+foundVersions+`,
			`+documentColumns+`
		FROM passages p JOIN articles a ON a.id = p.article_id JOIN documents d ON d.id = p.document_id`+wordingJoin+`
			LEFT JOIN happened ON happened.document_id = CASE WHEN w.article_id IS NULL THEN d.id ELSE target.id END
		WHERE p.id = ANY($1) AND NOT d.in_review`, ids)
	if err != nil {
		return nil, classify("found", err)
	}
	found := make(map[uuid.UUID]Found, len(ids))
	known := make(map[uuid.UUID][]related)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Found, error) { return scanFound(row, known) })
	for _, f := range list {
		found[f.Passage.ID] = f
	}
	return found, classify("found", err)
}

// scanFound reads a row of Found; known caches the relations of the texts that were already
// read.
func scanFound(row pgx.CollectableRow, known map[uuid.UUID][]related) (f Found, err error) {
	p, a := &f.Passage, &f.Article
	var happened []byte
	var w *wordingRow
	into := []any{&p.ID, &p.Position, &p.Page, &p.Text, &a.ID, &a.Position, &a.Number, &a.Path, &a.Heading,
		&a.Page, &f.RepealedOn, &f.From, &f.To, &w, &happened, &f.Versions}
	if err := row.Scan(append(into, documentFields(&f.Document)...)...); err != nil {
		return f, err
	}
	p.DocumentID, p.ArticleID = f.Document.ID, a.ID
	a.DocumentID = f.Document.ID
	a.Wording = w.wording()
	of, number := f.Document.ID, a.Number // the text and article whose changes apply
	if a.Wording != nil {
		if number = a.Wording.Number; a.Wording.TargetID != nil {
			of = *a.Wording.TargetID
		}
	}
	relations, read := known[of]
	if !read && happened != nil {
		if err := json.Unmarshal(happened, &relations); err != nil {
			return f, err
		}
		known[of] = relations
	}
	f.Relations = []law.RelationRef{}
	for _, r := range relations {
		if happened != nil && (len(r.Articles) == 0 || names(r.Articles, number)) && (a.Wording == nil || r.Date > f.From.Format(time.DateOnly)) {
			f.Relations = append(f.Relations, r.RelationRef)
		}
	}
	return f, nil
}

// Spans returns the positions of passages' lines on their pages.
func (db *DB) Spans(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
	rows, err := db.pool.Query(ctx, `SELECT id, spans FROM passages WHERE id = ANY($1)`, ids)
	if err != nil {
		return nil, classify("spans", err)
	}
	out := make(map[uuid.UUID][]law.Span, len(ids))
	var id uuid.UUID
	var spans []law.Span
	_, err = pgx.ForEachRow(rows, []any{&id, &spans}, func() error {
		out[id], spans = spans, nil
		return nil
	})
	return out, classify("spans", err)
}

// names reports whether articles, as a relation names them, include the article with the
// given number.
func names(articles []string, number string) bool {
	return number != "" && slices.ContainsFunc(articles, func(a string) bool { return law.ArticleKey(a) == law.ArticleKey(number) })
}
