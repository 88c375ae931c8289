package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/fulltext"
)

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
func foundArticles(ctx context.Context, tx pgx.Tx, where string, args ...any) ([]law.Article, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (a law.Article, err error) {
		err = r.Scan(&a.ID, &a.DocumentID, &a.Number, &a.Path, &a.Heading, &a.Position, &a.Text)
		return a, err
	}, `SELECT id, document_id, number, path, heading, position, body FROM articles WHERE `+where, args...)
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
	behind, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT d.id FROM documents d LEFT JOIN search_units u ON u.document_id = d.id AND u.position = -1
		WHERE u.analysis IS DISTINCT FROM $1 ORDER BY d.id`, fulltext.Analysis)
	if err != nil {
		return classify("prepare search", err)
	}
	for i, id := range behind {
		tell(Migrating{PreparesSearch, i, len(behind)})
		err := db.inTx(ctx, "prepare search of "+id.String(), func(tx pgx.Tx) error { return remakeUnits(ctx, tx, id) })
		if err != nil {
			return err
		}
	}
	if len(behind) > 0 {
		tell(Migrating{PreparesSearch, len(behind), len(behind)})
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
