package postgres

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/spelling"
)

// mostCounted is the maximum number of places that are counted for a word. Words with more are considered equally
// frequent.
const mostCounted = 1000

// Respell replaces each word of a search that does not occur in the catalogue by a word that does and differs in one
// letter. Among several it chooses the most frequent one. changed is false if it replaced nothing.
func (db *DB) Respell(ctx context.Context, typed string) (spelled string, changed bool, err error) {
	spelled = typed
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		// The forms of a word are looked up one by one in an index.
		if _, err := tx.Exec(ctx, `SET LOCAL jit = off; SET LOCAL enable_seqscan = off`); err != nil {
			return err
		}
		for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return !unicode.IsLetter(r) }) {
			folded := law.Fold(word)
			if n := utf8.RuneCountInString(folded); n < spelling.MinLetters || n > longestRespelled {
				continue
			}
			better, err := likeliest(ctx, tx, folded)
			if err != nil {
				return err
			}
			if better != folded {
				spelled, changed = strings.ReplaceAll(spelled, word, better), true
			}
		}
		return nil
	})
	return spelled, changed, classify("respell a search", err)
}

// longestRespelled is the maximum number of letters of a word that is respelled: it has fifty forms for each letter.
const longestRespelled = 24

// likeliest returns the form of a folded word with the most places in the catalogue among those with one letter
// more, less, another or exchanged with its neighbor; the word itself if it has a place or no form has.
func likeliest(ctx context.Context, tx pgx.Tx, word string) (string, error) {
	if len(french.Terms(word)) != 1 {
		return word, nil
	}
	var forms, queries []string
	for _, form := range append([]string{word}, spelling.Slips(word)...) {
		if terms := french.Terms(form); len(terms) == 1 {
			forms, queries = append(forms, form), append(queries, fulltext.AnyOf(terms))
		}
	}
	var first, places int
	err := tx.QueryRow(ctx, `SELECT f.at, n.places FROM unnest($1::text[]) WITH ORDINALITY AS f(query, at)
		CROSS JOIN LATERAL (SELECT count(*)::int AS places FROM (SELECT FROM search_units u WHERE u.words @@ f.query::tsquery LIMIT $2) x) n
		WHERE n.places > 0 ORDER BY f.at > 1, n.places DESC, f.at LIMIT 1`, queries, mostCounted).Scan(&first, &places)
	if errors.Is(err, pgx.ErrNoRows) {
		return word, nil
	}
	if err != nil {
		return word, err
	}
	return forms[first-1], nil
}
