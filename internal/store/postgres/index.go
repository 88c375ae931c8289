package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/french"
	"vigueur/internal/law/fulltext"
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
func (db *DB) CatalogueMoment(ctx context.Context, version int64) (moment time.Time, err error) {
	err = db.pool.QueryRow(ctx, `SELECT changed_at FROM catalogue_changes WHERE version = $1`, version).Scan(&moment)
	return moment, classify("moment of a catalogue version", err)
}

// Changes lists each text that changed after the given version, and returns the version
// that includes these changes. A listed text without index rows was removed.
func (db *DB) Changes(ctx context.Context, cursor int64) (documents []uuid.UUID, version int64, err error) {
	rows, err := db.pool.Query(ctx, `SELECT document_id, max(version) FROM catalogue_changes
		WHERE version > $1 GROUP BY document_id`, cursor)
	if err != nil {
		return nil, cursor, classify("changes", err)
	}
	version = cursor
	var id uuid.UUID
	var offset int64
	_, err = pgx.ForEachRow(rows, []any{&id, &offset}, func() error {
		documents = append(documents, id)
		version = max(version, offset)
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
	owner, number := f.Document.ID, a.Number // the text and article whose changes apply
	if a.Wording != nil {
		if number = a.Wording.Number; a.Wording.TargetID != nil {
			owner = *a.Wording.TargetID
		}
	}
	relations, read := known[owner]
	if !read && happened != nil {
		if err := json.Unmarshal(happened, &relations); err != nil {
			return f, err
		}
		known[owner] = relations
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

// nameOf returns the title of a text, with the number if the title lacks it. The text's
// articles are found by these words too.
func nameOf(title, number string) string {
	if number == "" || strings.Contains(title, number) {
		return title
	}
	return title + " n° " + number
}

// vectorOf encodes words as a PostgreSQL tsvector.
func vectorOf(parts ...fulltext.Part) pgtype.TSVector {
	lexemes := fulltext.Lexemes(parts...)
	v := pgtype.TSVector{Lexemes: make([]pgtype.TSVectorLexeme, len(lexemes)), Valid: true}
	for i, l := range lexemes {
		v.Lexemes[i] = pgtype.TSVectorLexeme{Word: l.Word, Positions: make([]pgtype.TSVectorPosition, len(l.Places))}
		for j, p := range l.Places {
			v.Lexemes[i].Positions[j] = pgtype.TSVectorPosition{Position: p.Position, Weight: pgtype.TSVectorWeight(p.Label)}
		}
	}
	return v
}

// articleParts returns the weighted words by which an article is found: its printed words, and the sentences of its
// assembled wordings that are not printed. Words of a sentence in several wordings would otherwise count several times.
// The name of its text comes last, so that renameUnits can replace it without moving the other words.
func articleParts(a law.Article, wordings []string, name string) []fulltext.Part {
	number := ""
	if a.Number != "" {
		number = "article " + a.Number + ". "
	}
	parts := []fulltext.Part{{Text: number + a.Heading, Label: fulltext.Name}, {Text: strings.Join(a.Path, ". "), Label: fulltext.Headings},
		{Text: a.Text, Label: fulltext.Body}}
	known := map[string]bool{}
	for _, s := range french.Sentences(a.Text) {
		known[a.Text[s.Start:s.End]] = true
	}
	for _, w := range wordings {
		parts = append(parts, newSentences(w, known)...)
	}
	return append(parts, fulltext.Part{Text: name, Label: fulltext.Above})
}

// newSentences returns the runs of sentences of a wording that are not known, and adds them to
// the known ones.
func newSentences(wording string, known map[string]bool) (parts []fulltext.Part) {
	run := french.Span{Start: -1}
	end := func() {
		if run.Start >= 0 {
			parts = append(parts, fulltext.Part{Text: wording[run.Start:run.End], Label: fulltext.Body})
		}
		run.Start = -1
	}
	for _, s := range french.Sentences(wording) {
		words := wording[s.Start:s.End]
		if known[words] {
			end()
			continue
		}
		if known[words] = true; run.Start < 0 {
			run.Start = s.Start
		}
		run.End = s.End
	}
	end()
	return parts
}

// assembledWordings returns the assembled wordings that continue the printed words of articles,
// oldest first, by article.
func assembledWordings(ctx context.Context, tx pgx.Tx, articles []law.Article) (map[uuid.UUID][]string, error) {
	ids := make([]uuid.UUID, len(articles))
	for i, a := range articles {
		ids[i] = a.ID
	}
	rows, err := tx.Query(ctx, `SELECT printed_in, body FROM article_versions
		WHERE printed_in = ANY($1) AND act_id IS NOT NULL AND NOT gone AND NOT served ORDER BY printed_in, ordinal`, ids)
	if err != nil {
		return nil, err
	}
	by := map[uuid.UUID][]string{}
	var article uuid.UUID
	var body string
	_, err = pgx.ForEachRow(rows, []any{&article, &body}, func() error {
		by[article] = append(by[article], body)
		return nil
	})
	return by, err
}

// reviseUnits updates the search units of articles to their current wordings, and returns the
// texts that they belong to. An id that no article has is passed over.
func reviseUnits(ctx context.Context, tx pgx.Tx, articles []uuid.UUID) (texts []uuid.UUID, err error) {
	// Whoever renames a text changes this row first, and so waits.
	rows, err := tx.Query(ctx, `SELECT document_id, named FROM search_units WHERE position = -1
		AND document_id IN (SELECT document_id FROM articles WHERE id = ANY($1)) ORDER BY document_id FOR UPDATE`, articles)
	if err != nil {
		return nil, err
	}
	names := map[uuid.UUID]string{}
	var text uuid.UUID
	var name string
	if _, err := pgx.ForEachRow(rows, []any{&text, &name}, func() error {
		names[text], texts = name, append(texts, text)
		return nil
	}); err != nil {
		return nil, err
	}
	of, err := foundArticles(ctx, tx, `id = ANY($1)`, articles)
	if err != nil {
		return nil, err
	}
	wordings, err := assembledWordings(ctx, tx, of)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	for _, a := range of {
		batch.Queue(`UPDATE search_units SET words = $2 WHERE article_id = $1`, a.ID, vectorOf(articleParts(a, wordings[a.ID], names[a.DocumentID])...))
	}
	return texts, tx.SendBatch(ctx, batch).Close()
}

// foundArticles reads the articles from which search units are made.
func foundArticles(ctx context.Context, tx pgx.Tx, place string, args ...any) ([]law.Article, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (a law.Article, err error) {
		err = r.Scan(&a.ID, &a.DocumentID, &a.Number, &a.Path, &a.Heading, &a.Position, &a.Text)
		return a, err
	}, `SELECT id, document_id, number, path, heading, position, body FROM articles WHERE `+place, args...)
}

// insertUnits adds the search units of a text and its articles.
func insertUnits(ctx context.Context, tx pgx.Tx, d law.Document, articles []law.Article) error {
	name := nameOf(d.Title, d.OfficialNumber)
	_, err := tx.Exec(ctx, `INSERT INTO search_units (document_id, position, words, named, analysis) VALUES ($1, -1, $2, $3, $4)`,
		d.ID, vectorOf(fulltext.Part{Text: name, Label: fulltext.Name}), name, fulltext.Analysis)
	if err != nil {
		return err
	}
	wordings, err := assembledWordings(ctx, tx, articles)
	if err != nil {
		return err
	}
	columns := []string{"document_id", "article_id", "position", "words"}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"search_units"}, columns, pgx.CopyFromSlice(len(articles), func(i int) ([]any, error) {
		return []any{d.ID, articles[i].ID, articles[i].Position, vectorOf(articleParts(articles[i], wordings[articles[i].ID], name)...)}, nil
	}))
	return err
}

// renameUnits updates the search units of texts to their current titles and numbers.
func renameUnits(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT d.id, d.title, d.numero_officiel, u.named FROM documents d
		JOIN search_units u ON u.document_id = d.id AND u.position = -1 WHERE d.id = ANY($1)`, documents)
	if err != nil {
		return err
	}
	changed := map[uuid.UUID]string{}
	var id uuid.UUID
	var title, number, was string
	_, err = pgx.ForEachRow(rows, []any{&id, &title, &number, &was}, func() error {
		if name := nameOf(title, number); name != was {
			changed[id] = name
		}
		return nil
	})
	if err != nil {
		return err
	}
	for id, name := range changed {
		_, err := tx.Exec(ctx, `UPDATE search_units SET words = $2, named = $3 WHERE document_id = $1 AND position = -1`,
			id, vectorOf(fulltext.Part{Text: name, Label: fulltext.Name}), name)
		if err != nil {
			return err
		}
		// The article's own words keep their positions, so phrases in them still match.
		_, err = tx.Exec(ctx, `UPDATE search_units SET words = ts_filter(words, '{a,b,c}') || $2 WHERE document_id = $1 AND position >= 0`,
			id, vectorOf(fulltext.Part{Text: name, Label: fulltext.Above}))
		if err != nil {
			return err
		}
	}
	return nil
}

// prepareSearch builds the search units that are missing or that another version of the
// analysis made, one text per transaction.
func prepareSearch(ctx context.Context, url string, tell func(Migrating)) error {
	db, err := Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	following, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT d.id FROM documents d LEFT JOIN search_units u ON u.document_id = d.id AND u.position = -1
		WHERE u.analysis IS DISTINCT FROM $1 ORDER BY d.id`, fulltext.Analysis)
	if err != nil {
		return classify("prepare search", err)
	}
	for i, id := range following {
		tell(Migrating{PreparesSearch, i, len(following)})
		err := db.inTx(ctx, "prepare search of "+id.String(), func(tx pgx.Tx) error { return remakeUnits(ctx, tx, id) })
		if err != nil {
			return err
		}
	}
	if len(following) > 0 {
		tell(Migrating{PreparesSearch, len(following), len(following)})
	}
	return nil
}

// remakeUnits rebuilds the search units of a text. For a deleted text it does nothing.
func remakeUnits(ctx context.Context, tx pgx.Tx, document uuid.UUID) error {
	texts, err := collect(ctx, tx, func(r pgx.CollectableRow) (d law.Document, err error) {
		err = r.Scan(&d.ID, &d.Title, &d.OfficialNumber)
		return d, err
	}, `SELECT id, title, numero_officiel FROM documents WHERE id = $1 FOR UPDATE`, document)
	if err != nil || len(texts) == 0 {
		return err
	}
	articles, err := foundArticles(ctx, tx, `document_id = $1`, document)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM search_units WHERE document_id = $1`, document); err != nil {
		return fmt.Errorf("delete the old search units: %w", err)
	}
	return insertUnits(ctx, tx, texts[0], articles)
}

// Generation is the set of vectors that one model made from passages cut in one way.
type Generation struct {
	ID          uuid.UUID
	Model       string
	Chunking    string
	Dimensions  int
	Fingerprint string
	Probe       []byte // packed vector of a known text, which shows whether the model changed
	Current     bool   // whether searches use this generation; if not, it is being made to replace the current one
	Covered     int64  // version of the catalogue up to which every passage has its vectors
	Error       string // why the last attempt failed, French
}

const generationColumns = `id, model, chunking, dimensions, fingerprint, probe, role = 'current', covered, error`

// Generations lists the current generation and the one that is being made to replace it.
func (db *DB) Generations(ctx context.Context) ([]Generation, error) {
	return generations(ctx, db.pool, false)
}

// SentenceGenerations lists the generations of sentences, the latest first.
func (db *DB) SentenceGenerations(ctx context.Context) ([]Generation, error) {
	return generations(ctx, db.pool, true)
}

func generations(ctx context.Context, q querier, sentences bool) ([]Generation, error) {
	list, err := collect(ctx, q, pgx.RowToStructByPos[Generation], `SELECT `+generationColumns+` FROM generations WHERE (role = 'sentences') = $1 ORDER BY role, created_at DESC`, sentences)
	return list, classify("generations", err)
}

// EnsureGeneration returns the generation for which same returns true. If there is none, it adds g: as the current
// generation if there is no current one, else as the next one. It deletes other unfinished generations, because only
// one is made at a time.
func (db *DB) EnsureGeneration(ctx context.Context, g Generation, same func(Generation) bool) (Generation, error) {
	return db.ensureGeneration(ctx, g, false, same)
}

// EnsureSentenceGeneration does the same for generations of sentence vectors. An old one stays until another is
// complete.
func (db *DB) EnsureSentenceGeneration(ctx context.Context, g Generation, same func(Generation) bool) (Generation, error) {
	return db.ensureGeneration(ctx, g, true, same)
}

func (db *DB) ensureGeneration(ctx context.Context, g Generation, sentences bool, same func(Generation) bool) (found Generation, err error) {
	err = db.inTx(ctx, "ensure generation of "+g.Model, func(tx pgx.Tx) error {
		// This lock lets one call run at a time. A lock on the table would also block the renewals of leases.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('generations', 0))`); err != nil {
			return err
		}
		list, err := generations(ctx, tx, sentences)
		if err != nil {
			return err
		}
		for _, known := range list {
			if same(known) {
				found = known
				return nil
			}
		}
		role := "sentences"
		if !sentences {
			if _, err := tx.Exec(ctx, `DELETE FROM generations WHERE role = 'next'`); err != nil {
				return err
			}
			role = "current"
			if len(list) > 0 && list[0].Current {
				role = "next"
			}
		}
		rows, err := tx.Query(ctx, `INSERT INTO generations (id, model, chunking, dimensions, fingerprint, probe, role)
			VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING `+generationColumns,
			g.ID, g.Model, g.Chunking, g.Dimensions, g.Fingerprint, g.Probe, role)
		if err != nil {
			return err
		}
		found, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Generation])
		return err
	})
	return found, err
}

// generationJobs are the generations: a job computes the vectors that a generation lacks.
var generationJobs = &jobs{table: "generations", wake: `covered < (SELECT coalesce(max(version), 0) FROM catalogue_changes)`, pause: crashPause}

// DueEmbedding returns the id of a generation that needs a hint in the queue: there are new passages, or a lease or hint
// has expired.
func (db *DB) DueEmbedding(ctx context.Context, id uuid.UUID) ([]uuid.UUID, error) {
	return generationJobs.due(ctx, db, 1, `id = '`+id.String()+`'`)
}

// LeaseEmbedding leases a generation and counts an attempt. LeaseLost if another worker holds the generation, or if
// it is complete.
func (db *DB) LeaseEmbedding(ctx context.Context, id uuid.UUID) (l Leased, err error) {
	err = db.inTx(ctx, "lease embedding "+id.String(), func(tx pgx.Tx) (err error) {
		if l, err = generationJobs.lease(ctx, db, tx, id); err != nil {
			return err
		}
		return l.set(ctx, tx, `pace = 0`)
	})
	return l, err
}

// RenewEmbedding renews the lease of an attempt and records its pace, in passages a second; 0: not known yet.
func (db *DB) RenewEmbedding(ctx context.Context, l Leased, pace float64) error {
	return l.set(ctx, db.renewals, `lease_until = now() + $3::interval, pace = $4`, Lease, pace)
}

// FinishEmbedding records that a generation covers the given version of the catalogue. A next generation becomes the
// current one: the old current one is deleted with its vectors, and the followers of the catalogue are notified that
// every text changed. A generation of sentences replaces the other generations of sentences. FinishEmbedding returns
// false and does nothing while passages lack vectors.
func (db *DB) FinishEmbedding(ctx context.Context, l Leased, covered int64) (done bool, err error) {
	id, attempt := l.ID, l.Attempt
	err = db.inTx(ctx, "finish embedding "+id.String(), func(tx pgx.Tx) error {
		role, err := enterEmbedding(ctx, tx, id, attempt)
		if err != nil {
			return err
		}
		var lacking bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM passages p JOIN documents d ON d.id = p.document_id AND NOT d.in_review
			WHERE NOT p.quoted AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1))`, id).Scan(&lacking); err != nil || lacking {
			return err
		}
		switch role {
		case "next":
			err = deleteCurrentGeneration(ctx, tx)
		case "sentences":
			_, err = tx.Exec(ctx, `DELETE FROM generations WHERE role = 'sentences' AND id <> $1`, id)
		}
		if err != nil {
			return err
		}
		if err := fence(ctx, tx, "generations", id, attempt); err != nil {
			return err
		}
		done = true
		return l.set(ctx, tx, `role = CASE role WHEN 'sentences' THEN role ELSE 'current' END, state = 'done', error = '', failures = 0,
			attempt_floor = attempt, covered = $3, lease_until = now()`, covered)
	})
	return done, err
}

// deleteCurrentGeneration deletes the current generation and notifies the catalogue's followers that every text
// changed.
func deleteCurrentGeneration(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `DELETE FROM generations WHERE role = 'current'`); err != nil {
		return err
	}
	return announceEach(ctx, tx, `SELECT id FROM documents WHERE NOT in_review`)
}

// enterEmbedding calls enter for an attempt at a generation and returns the generation's role.
func enterEmbedding(ctx context.Context, tx pgx.Tx, id uuid.UUID, attempt int) (role string, err error) {
	if err := enter(ctx, tx, "generations", id, attempt); err != nil {
		return "", err
	}
	err = tx.QueryRow(ctx, `SELECT role FROM generations WHERE id = $1`, id).Scan(&role)
	return role, err
}

// Unembedded is a passage that lacks its vectors.
type Unembedded struct {
	ID         uuid.UUID
	DocumentID uuid.UUID
	Position   int
	Title      string   // title of its text
	Path       []string // headings above the article, outermost first
	Heading    string   // heading of its article
	Text       string
}

// Unembedded returns passages of the catalogue that lack vectors of the given generation,
// ordered by text and position: at most limit passages, all of them behind the passage
// given as the parameter after.
func (db *DB) Unembedded(ctx context.Context, generation uuid.UUID, following Unembedded, limit int) ([]Unembedded, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Unembedded], `SELECT p.id, p.document_id, p.position, d.title, a.path, a.heading, p.body
		FROM passages p JOIN articles a ON a.id = p.article_id JOIN documents d ON d.id = p.document_id
		WHERE NOT d.in_review AND NOT p.quoted AND (p.document_id, p.position) > ($2, $3)
			AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1)
		ORDER BY p.document_id, p.position LIMIT $4`, generation, following.DocumentID, following.Position, limit)
	return list, classify("unembedded", err)
}

// PassageVectors holds the packed vectors of one passage.
type PassageVectors struct {
	PassageID uuid.UUID
	Packed    []byte
	Words     []byte // hash of the words that they were made of, WordsHash bytes long; nil: not stored
}

// WordsHash is the length of a hash of words.
const WordsHash = 16

// VectorsOfWords returns the packed vectors of a generation that were made of words with the given hashes, by hash.
func (db *DB) VectorsOfWords(ctx context.Context, generation uuid.UUID, words [][]byte) (map[string][]byte, error) {
	known := make(map[string][]byte)
	rows, err := db.pool.Query(ctx, `SELECT words, packed FROM vectors WHERE words = ANY ($2) AND generation_id = $1`, generation, words)
	if err != nil {
		return nil, classify("vectors of words", err)
	}
	var hash, packed []byte
	_, err = pgx.ForEachRow(rows, []any{&hash, &packed}, func() error {
		known[string(hash)] = bytes.Clone(packed)
		return nil
	})
	return known, classify("vectors of words", err)
}

// PassageVectors returns the vectors of the given passages. Passages without vectors of the
// generation are absent.
func (db *DB) PassageVectors(ctx context.Context, generation uuid.UUID, passages []uuid.UUID) ([]PassageVectors, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[PassageVectors], `SELECT passage_id, packed, NULL::bytea FROM vectors WHERE passage_id = ANY ($2) AND generation_id = $1`, generation, passages)
	return list, classify("vectors of passages", err)
}

// SaveVectors stores the vectors that an attempt made, and skips passages that were deleted
// in the meantime. If the generation is the current one, the catalogue's followers are
// notified of the texts whose passages now all have vectors.
func (db *DB) SaveVectors(ctx context.Context, generation uuid.UUID, attempt int, vectors []PassageVectors) error {
	ids, packed, words := make([]uuid.UUID, len(vectors)), make([][]byte, len(vectors)), make([][]byte, len(vectors))
	for i, v := range vectors {
		ids[i], packed[i], words[i] = v.PassageID, v.Packed, v.Words
	}
	return db.inTx(ctx, "save vectors", func(tx pgx.Tx) error {
		role, err := enterEmbedding(ctx, tx, generation, attempt)
		if err != nil {
			return err
		}
		// The lock keeps each passage until its vectors are stored.
		_, err = tx.Exec(ctx, `INSERT INTO vectors (passage_id, generation_id, packed, words)
			SELECT p.id, $1, n.packed, n.words FROM unnest($2::uuid[], $3::bytea[], $4::bytea[]) n (id, packed, words) JOIN passages p ON p.id = n.id FOR KEY SHARE OF p
			ON CONFLICT DO NOTHING`, generation, ids, packed, words)
		if err != nil {
			return err
		}
		if role == "current" {
			if err := announceComplete(ctx, tx, generation, ids); err != nil {
				return err
			}
		}
		return fence(ctx, tx, "generations", generation, attempt)
	})
}

// announceComplete announces the texts of the given passages that have no passage left
// without vectors.
func announceComplete(ctx context.Context, tx pgx.Tx, generation uuid.UUID, passages []uuid.UUID) error {
	return announceEach(ctx, tx, `SELECT DISTINCT t.document_id FROM passages t WHERE t.id = ANY($2) AND NOT EXISTS (
		SELECT 1 FROM passages p WHERE p.document_id = t.document_id AND NOT p.quoted
			AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1))`, generation, passages)
}

// VectorRow holds the vectors of a passage and the ids that it belongs to.
type VectorRow struct {
	Generation uuid.UUID
	DocumentID uuid.UUID
	PassageID  uuid.UUID
	Packed     []byte
}

// VectorRows reads the vectors of the current generation for the given texts, or for all
// texts if documents is nil, and calls yield for each row, ordered by text and position. It
// stops at the first error of yield.
func (db *DB) VectorRows(ctx context.Context, documents []uuid.UUID, yield func(VectorRow) error) error {
	rows, err := db.pool.Query(ctx, `SELECT v.generation_id, p.document_id, p.id, v.packed
		FROM vectors v JOIN generations g ON g.id = v.generation_id AND g.role = 'current'
		JOIN passages p ON p.id = v.passage_id JOIN documents d ON d.id = p.document_id
		WHERE NOT d.in_review AND NOT p.quoted AND ($1::uuid[] IS NULL OR d.id = ANY($1)) ORDER BY p.document_id, p.position`, documents)
	if err != nil {
		return classify("vector rows", err)
	}
	var r VectorRow
	_, err = pgx.ForEachRow(rows, []any{&r.Generation, &r.DocumentID, &r.PassageID, &r.Packed}, func() error {
		err := yield(r)
		r = VectorRow{} // a new value, because pgx fills slices in place
		return err
	})
	return classify("vector rows", err)
}
