package postgres

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
)

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
	return collect(ctx, db.pool, func(r pgx.CollectableRow) (d law.Document, err error) {
		err = r.Scan(documentFields(&d)...)
		return d, err
	}, `SELECT `+documentColumns+` FROM documents d WHERE NOT d.in_review AND `+condition+`
		AND ($3::uuid[] IS NULL OR d.id <> ALL ($3)) ORDER BY $4 = ANY (d.countries) DESC, d.promulgated_on DESC, d.id LIMIT $2`, pgx.QueryExecModeCacheDescribe, arg, limit, known, country)
}
