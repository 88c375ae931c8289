package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/read"
	"vigueur/internal/law/spelling"
)

// containing is a format of a SQL pattern for values that contain the argument %d. It
// escapes the wildcards of LIKE after folding, because folding turns the full-width forms
// of these characters into plain ones.
const containing = `'%%' || regexp_replace(fold($%d), '([\\%%_])', '\\\1', 'g') || '%%'`

// minSimilarity is the minimum similarity (word similarity of pg_trgm, from 0 to 1) between
// a title and the search text: the share of common trigrams. A word of five letters with
// one wrong letter has 0.5; PostgreSQL's default of 0.6 would miss it.
const minSimilarity = "0.5"

// allowsTypos reports whether a search for the title tolerates typing errors.
func allowsTypos(title string) bool {
	words := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
	return slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) >= spelling.MinLetters })
}

// snapshot runs f in a read-only transaction in which every statement sees the same state.
func (db *DB) snapshot(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

// stampQuery selects the stamp of the catalogue, which differs from that of any other state of it.
const stampQuery = `SELECT coalesce(bit_xor(stamp), 0) AS stamp FROM document_stamps`

// findTitles finds texts whose titles contain the title of a query, or that have it as their
// number. If the whole catalogue has none, it finds similar titles, in the title index or,
// if that does not respond, in PostgreSQL.
func (db *DB) findTitles(ctx context.Context, tx pgx.Tx, q DocumentQuery) (ids []uuid.UUID, err error) {
	ids, err = listMatching(ctx, tx, q, `d.title_folded LIKE `+fmt.Sprintf(containing, 4), q.Title)
	if number, kind, numbered := read.NumberAlone(q.Title); numbered && err == nil {
		ids, err = withNumber(ctx, tx, q, ids, number, kind)
	}
	if err != nil || len(ids) > 0 || !allowsTypos(q.Title) {
		return ids, err
	}
	var contained bool
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents d WHERE NOT d.in_review AND d.title_folded LIKE `+
		fmt.Sprintf(containing, 1)+`)`, q.Title).Scan(&contained)
	if err != nil || contained {
		return nil, err
	}
	if ids, asked, err := db.nearest(ctx, tx, q); err != nil || asked {
		return ids, err
	}
	if _, err := tx.Exec(ctx, `SELECT set_config('pg_trgm.word_similarity_threshold', $1, true)`, minSimilarity); err != nil {
		return nil, err
	}
	ids, err = listAlike(ctx, tx, q, `d.title_folded %> fold($4)`, q.Title)
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	if condition, forms := nearForms(law.Fold(q.Title)); condition != "" {
		ids, err = listAlike(ctx, tx, q, condition, forms)
	}
	return ids, err
}

// withNumber adds to found the texts with a number, whether or not their titles contain it:
// « 2000-192 » also finds « 2000-192/PRES/PM ». If as is a type, texts of other types are
// left out.
func withNumber(ctx context.Context, tx pgx.Tx, q DocumentQuery, found []uuid.UUID, number string, kind law.DocType) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT d.id FROM documents d WHERE NOT d.in_review AND (d.id = ANY($6) OR d.numero_officiel <> ''
			AND number_stem(d.numero_officiel) = number_stem($4)
			AND (number_signs(d.numero_officiel) = '' OR number_signs($4) = '' OR number_signs(d.numero_officiel) = number_signs($4))
			AND ($5 = '' OR d.doc_type = $5 OR $5 = 'loi' AND d.doc_type IN ('code', 'constitution')))
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		ORDER BY d.promulgated_on DESC, d.id`, q.Domain, string(q.Type), string(q.Status), number, string(kind), found)
}

// listMatching lists the texts that satisfy a condition on the value ($4) and pass the filters, in
// catalogue order.
func listMatching(ctx context.Context, tx pgx.Tx, q DocumentQuery, condition string, value any) ([]uuid.UUID, error) {
	rows, err := queryTitles(ctx, tx, q, `d.id`, condition, value)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// listAlike is listMatching for texts whose titles resemble what was typed.
func listAlike(ctx context.Context, tx pgx.Tx, q DocumentQuery, condition string, value any) (ids []uuid.UUID, err error) {
	rows, err := queryTitles(ctx, tx, q, `d.id, d.title_folded`, condition, value)
	if err != nil {
		return nil, err
	}
	typed := law.Fold(q.Title)
	var id uuid.UUID
	var title string
	_, err = pgx.ForEachRow(rows, []any{&id, &title}, func() error {
		if spelling.Alike(typed, title) {
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

// queryTitles reads columns of the texts of matching. The query is planned for its arguments: a
// generic plan would be slow for most searches.
func queryTitles(ctx context.Context, tx pgx.Tx, q DocumentQuery, columns, condition string, value any) (pgx.Rows, error) {
	return tx.Query(ctx, `SELECT `+columns+` FROM documents d WHERE NOT d.in_review
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3) AND `+condition+`
		ORDER BY d.promulgated_on DESC, d.id`, pgx.QueryExecModeCacheDescribe, q.Domain, string(q.Type), string(q.Status), value)
}

// nearLetters is the maximum number of letters of a search for which nearForms lists forms: one
// for each letter, each of which is looked up.
const nearLetters = 200

// nearForms returns a condition on titles for the slip that trigrams are too coarse to find, and
// its argument $4: patterns of each typed word and of the forms that it has with two neighbors
// exchanged. An exchange destroys up to four of the trigrams of a word (« contarts » shares too few
// with « contrats »), but leaves few forms, and each of them is looked up by all of its trigrams.
// The condition is empty if no word may have slips, or if the words are too long. typed is folded;
// words consist of letters and digits, so no pattern needs an escape.
func nearForms(typed string) (condition string, patterns []string) {
	letters := 0
	var all []string
	for _, w := range spelling.Words(typed) {
		n := utf8.RuneCountInString(w)
		if n < spelling.MinLetters || !strings.ContainsFunc(w, unicode.IsLetter) {
			continue
		}
		if letters += n; letters > nearLetters {
			return "", nil
		}
		first := len(patterns) + 1
		patterns = append(patterns, "%"+w+"%")
		for _, form := range spelling.ExchangeNeighbors(w) {
			patterns = append(patterns, "%"+form+"%")
		}
		all = append(all, fmt.Sprintf("d.title_folded LIKE ANY (($4::text[])[%d:%d])", first, len(patterns)))
	}
	return strings.Join(all, " AND "), patterns
}

// minTyped is the minimum number of letters for which titles are searched: nearly all
// titles contain any single letter.
const minTyped = 2

// SuggestTitles completes a title that a person is typing. It returns at most limit texts: first those whose titles
// begin with typed, then those with words that begin with its words; in each group texts of country come first, then
// the newest. If there are none, it returns texts whose titles contain or resemble typed, or whose number it is, as
// Documents does; then alike is true.
func (db *DB) SuggestTitles(ctx context.Context, typed, country string, limit int) (items []law.Document, alike bool, err error) {
	words := fulltext.Beginnings(typed)
	if utf8.RuneCountInString(strings.Join(words, "")) < minTyped {
		return nil, false, nil
	}
	items, err = db.listBeginning(ctx, `left(d.title_folded, 200) COLLATE "C" LIKE left(regexp_replace(fold($1), '([\\%_])', '\\\1', 'g'), 200) || '%'`, typed, country, limit, nil)
	if err == nil && len(items) < limit {
		// Words consist of letters and digits, so nothing needs to be escaped in a pattern.
		patterns := make([]string, len(words))
		known := make([]uuid.UUID, len(items))
		for i, w := range words {
			patterns[i] = `\m` + w
		}
		for i, d := range items {
			known[i] = d.ID
		}
		var more []law.Document
		more, err = db.listBeginning(ctx, `d.title_folded ~ ALL ($1::text[])`, patterns, country, limit-len(items), known)
		items = append(items, more...)
	}
	if err != nil || len(items) > 0 {
		return items, false, classify("suggest titles", err)
	}
	items, _, err = db.Documents(ctx, DocumentQuery{Title: typed, Page: 1, PageSize: limit})
	return items, true, err
}

// listBeginning lists the newest texts that satisfy a condition with the argument arg, those of a
// country first, without the known ones. The query is planned for its argument, as in listMatching.
func (db *DB) listBeginning(ctx context.Context, condition string, arg any, country string, limit int, known []uuid.UUID) ([]law.Document, error) {
	return collect(ctx, db.pool, scanDocument, `SELECT `+documentColumns+` FROM documents d WHERE NOT d.in_review AND `+condition+`
		AND ($3::uuid[] IS NULL OR d.id <> ALL ($3)) ORDER BY $4 = ANY (d.countries) DESC, d.promulgated_on DESC, d.id LIMIT $2`, pgx.QueryExecModeCacheDescribe, arg, limit, known, country)
}
