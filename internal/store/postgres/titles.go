package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
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

// titleTimeout limits a search by title. Concurrent callers share a search, so it does not
// end with the context of the caller that started it.
const titleTimeout = 10 * time.Second

// documentsByTitle returns a page of the texts whose titles match. The ids of all matching
// texts are cached while the catalogue does not change. Each page is read together with the
// catalogue's stamp, which shows whether the cached ids are still valid.
func (db *DB) documentsByTitle(ctx context.Context, q DocumentQuery) ([]law.Document, int, error) {
	key := titleKey{q.Domain, q.Type, q.Status, q.Title}
	known, remembered := db.titles.get(key)
	for range 2 {
		if remembered {
			items, stamp, err := showFound(ctx, db.pool, known.page(q))
			if err != nil || stamp == known.stamp {
				return items, len(known.ids), classify("documents by title", err)
			}
		}
		var err error
		if known, err = db.find(ctx, key); err != nil {
			return nil, 0, classify("documents by title", err)
		}
		remembered = true
	}
	// The catalogue keeps changing between search and read, so one snapshot serves both.
	var items []law.Document
	err := db.snapshot(ctx, func(tx pgx.Tx) (err error) {
		if known, err = db.findTitles(ctx, tx, key); err != nil {
			return err
		}
		items, _, err = showFound(ctx, tx, known.page(q))
		return err
	})
	return items, len(known.ids), classify("documents by title", err)
}

// find runs a search once for all concurrent callers with the same key.
func (db *DB) find(ctx context.Context, key titleKey) (found, error) {
	searched := db.searching.DoChan(fmt.Sprintf("%q", key), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), titleTimeout)
		defer cancel()
		var f found
		err := db.snapshot(ctx, func(tx pgx.Tx) (err error) {
			f, err = db.findTitles(ctx, tx, key)
			return err
		})
		if err == nil && !f.foreign {
			db.titles.put(key, f)
		}
		return f, err
	})
	select {
	case <-ctx.Done():
		return found{}, ctx.Err()
	case r := <-searched:
		f, _ := r.Val.(found)
		return f, r.Err
	}
}

// snapshot runs f in a read-only transaction in which every statement sees the same state.
func (db *DB) snapshot(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

const stampQuery = `SELECT coalesce(bit_xor(stamp), 0) AS stamp FROM document_stamps`

// findTitles finds texts whose titles contain the search text, or that have it as their
// number. If the whole catalogue has none, it finds similar titles, in the title index or,
// if that does not respond, in PostgreSQL.
func (db *DB) findTitles(ctx context.Context, tx pgx.Tx, key titleKey) (f found, err error) {
	if err := tx.QueryRow(ctx, stampQuery).Scan(&f.stamp); err != nil {
		return f, err
	}
	f.ids, err = listMatching(ctx, tx, key, `d.title_folded LIKE `+fmt.Sprintf(containing, 4), key.title)
	if number, as, numbered := law.NumberAlone(key.title); numbered && err == nil {
		f.ids, err = withNumber(ctx, tx, key, f.ids, number, as)
	}
	if err != nil || len(f.ids) > 0 || !allowsTypos(key.title) {
		return f, err
	}
	var contained bool
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents d WHERE NOT d.in_review AND d.title_folded LIKE `+
		fmt.Sprintf(containing, 1)+`)`, key.title).Scan(&contained)
	if err != nil || contained {
		return f, err
	}
	if f.ids, f.foreign, err = db.nearest(ctx, tx, key); err != nil || f.foreign {
		return f, err
	}
	if _, err := tx.Exec(ctx, `SELECT set_config('pg_trgm.word_similarity_threshold', $1, true)`, minSimilarity); err != nil {
		return f, err
	}
	f.ids, err = listAlike(ctx, tx, key, `d.title_folded %> fold($4)`, key.title)
	if err != nil || len(f.ids) > 0 {
		return f, err
	}
	if condition, forms := nearForms(law.Fold(key.title)); condition != "" {
		f.ids, err = listAlike(ctx, tx, key, condition, forms)
	}
	return f, err
}

// withNumber adds to found the texts with a number, whether or not their titles contain it:
// « 2000-192 » also finds « 2000-192/PRES/PM ». If as is a type, texts of other types are
// left out.
func withNumber(ctx context.Context, tx pgx.Tx, key titleKey, found []uuid.UUID, number string, as law.DocType) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT d.id FROM documents d WHERE NOT d.in_review AND (d.id = ANY($6) OR d.numero_officiel <> ''
			AND number_stem(d.numero_officiel) = number_stem($4)
			AND (number_signs(d.numero_officiel) = '' OR number_signs($4) = '' OR number_signs(d.numero_officiel) = number_signs($4))
			AND ($5 = '' OR d.doc_type = $5 OR $5 = 'loi' AND d.doc_type IN ('code', 'constitution')))
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		ORDER BY d.promulgated_on DESC, d.id`, key.domain, string(key.docType), string(key.status), number, string(as), found)
}

// listMatching lists the texts that satisfy a condition on the value ($4) and pass the filters, in
// catalogue order.
func listMatching(ctx context.Context, tx pgx.Tx, key titleKey, condition string, value any) ([]uuid.UUID, error) {
	rows, err := queryTitles(ctx, tx, key, `d.id`, condition, value)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// listAlike is listMatching for texts whose titles resemble what was typed.
func listAlike(ctx context.Context, tx pgx.Tx, key titleKey, condition string, value any) (ids []uuid.UUID, err error) {
	rows, err := queryTitles(ctx, tx, key, `d.id, d.title_folded`, condition, value)
	if err != nil {
		return nil, err
	}
	typed := law.Fold(key.title)
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
func queryTitles(ctx context.Context, tx pgx.Tx, key titleKey, columns, condition string, value any) (pgx.Rows, error) {
	return tx.Query(ctx, `SELECT `+columns+` FROM documents d WHERE NOT d.in_review
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3) AND `+condition+`
		ORDER BY d.promulgated_on DESC, d.id`, pgx.QueryExecModeCacheDescribe, key.domain, string(key.docType), string(key.status), value)
}

// showFound reads texts in the order of ids, and the stamp of the catalogue with them.
func showFound(ctx context.Context, db querier, ids []uuid.UUID) (items []law.Document, stamp int64, err error) {
	rows, err := db.Query(ctx, `SELECT s.stamp, `+documentColumns+` FROM (`+stampQuery+`) s
		LEFT JOIN (unnest($1::uuid[]) WITH ORDINALITY AS w(id, place) JOIN documents d ON d.id = w.id AND NOT d.in_review) ON true
		ORDER BY w.place`, ids)
	if err != nil {
		return nil, 0, err
	}
	items, err = collectDocuments(rows, &stamp)
	return items, stamp, err
}
