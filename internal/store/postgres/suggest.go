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

// leastTyped is the minimum number of letters before titles are searched: a single letter
// is in nearly all of them.
const leastTyped = 2

// SuggestTitles completes what a person is typing: at most a number of texts whose titles
// begin with it, then those with words that begin with it, each newest first. If there are
// none, it returns texts that contain it, have it as their number or resemble it, as in
// Documents; then alike is true.
func (db *DB) SuggestTitles(ctx context.Context, typed string, most int) (items []law.Document, alike bool, err error) {
	words := fulltext.Beginnings(typed)
	if utf8.RuneCountInString(strings.Join(words, "")) < leastTyped {
		return nil, false, nil
	}
	items, err = db.beginning(ctx, `left(d.title_folded, 200) COLLATE "C" LIKE left(regexp_replace(fold($1), '([\\%_])', '\\\1', 'g'), 200) || '%'`, typed, most, nil)
	if err == nil && len(items) < most {
		// Words are letters and digits: nothing needs to be escaped in a pattern.
		patterns := make([]string, len(words))
		known := make([]uuid.UUID, len(items))
		for i, w := range words {
			patterns[i] = `\m` + w
		}
		for i, d := range items {
			known[i] = d.ID
		}
		var more []law.Document
		more, err = db.beginning(ctx, `d.title_folded ~ ALL ($1::text[])`, patterns, most-len(items), known)
		items = append(items, more...)
	}
	if err != nil || len(items) > 0 {
		return items, false, classify("suggest titles", err)
	}
	items, _, err = db.Documents(ctx, DocumentQuery{Title: typed, Page: 1, PageSize: most})
	return items, true, err
}

// beginning lists the newest texts of a condition, without the known ones. It is planned
// for its argument, like matching.
func (db *DB) beginning(ctx context.Context, condition string, arg any, most int, known []uuid.UUID) ([]law.Document, error) {
	rows, err := db.pool.Query(ctx, `SELECT `+documentColumns+` FROM documents d WHERE NOT d.in_review AND `+condition+`
		AND ($3::uuid[] IS NULL OR d.id <> ALL ($3)) ORDER BY d.promulgated_on DESC, d.id LIMIT $2`, pgx.QueryExecModeCacheDescribe, arg, most, known)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (d law.Document, err error) {
		err = r.Scan(documentFields(&d)...)
		return d, err
	})
}
