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
)

// containing is a SQL pattern for texts that contain an argument; it is a format. Wildcards
// of LIKE are escaped after folding, not before: folding turns their wide forms into plain
// ones.
const containing = `'%%' || regexp_replace(fold($%d), '([\\%%_])', '\\\1', 'g') || '%%'`

// minSimilarity is the least word similarity (pg_trgm), from 0 to 1, of a title to the
// search: the share of common trigrams. A word of five letters with one wrong has 0.5;
// PostgreSQL's default of 0.6 would miss it.
const minSimilarity = "0.5"

// minTypoLength is the least number of letters of a word in which typing errors are
// allowed: a shorter word is similar to too many.
const minTypoLength = 5

// allowsTypos reports whether a title may be searched for with typing errors.
func allowsTypos(title string) bool {
	words := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
	return slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) >= minTypoLength })
}

// titleTimeout limits a search by title. The search is shared, so it does not end with the
// context of the caller that started it.
const titleTimeout = 10 * time.Second

// documentsByTitle is Documents with a title. The matching texts, and so their number, are
// cached as long as the catalogue does not change; each page is read together with the
// stamp that shows whether it did.
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
	// The catalogue changes more often than it is searched: one snapshot for both.
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

// find runs a search once for all concurrent callers that ask for the same.
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

// snapshot runs f in a transaction in which every statement sees the same state.
func (db *DB) snapshot(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

const stampQuery = `SELECT coalesce(bit_xor(stamp), 0) AS stamp FROM document_stamps`

// findTitles finds titles that contain the search text, or texts with that number. If the
// whole catalogue has none, it finds similar titles, in the title index or, if that does not
// respond, in PostgreSQL.
func (db *DB) findTitles(ctx context.Context, tx pgx.Tx, key titleKey) (f found, err error) {
	if err := tx.QueryRow(ctx, stampQuery).Scan(&f.stamp); err != nil {
		return f, err
	}
	f.ids, err = matching(ctx, tx, key, `d.title_folded LIKE `+fmt.Sprintf(containing, 4))
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
	f.ids, err = matching(ctx, tx, key, `d.title_folded %> fold($4)`)
	return f, err
}

// withNumber adds the texts with a number to the result, whether or not their titles
// contain it: « 2000-192 » also finds « 2000-192/PRES/PM ». If a type is given with the
// number, texts of another type are left out.
func withNumber(ctx context.Context, tx pgx.Tx, key titleKey, found []uuid.UUID, number string, as law.DocType) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `SELECT d.id FROM documents d WHERE NOT d.in_review AND (d.id = ANY($6) OR d.numero_officiel <> ''
			AND number_stem(d.numero_officiel) = number_stem($4)
			AND (number_signs(d.numero_officiel) = '' OR number_signs($4) = '' OR number_signs(d.numero_officiel) = number_signs($4))
			AND ($5 = '' OR d.doc_type = $5 OR $5 = 'loi' AND d.doc_type IN ('code', 'constitution')))
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		ORDER BY d.promulgated_on DESC, d.id`, key.domain, string(key.docType), string(key.status), number, string(as), found)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// matching lists the texts whose title matches and that pass the filters, in catalogue
// order. It is planned for its argument: a generic plan would be wrong for most.
func matching(ctx context.Context, tx pgx.Tx, key titleKey, condition string) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `SELECT d.id FROM documents d WHERE NOT d.in_review
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3) AND `+condition+`
		ORDER BY d.promulgated_on DESC, d.id`, pgx.QueryExecModeCacheDescribe, key.domain, string(key.docType), string(key.status), key.title)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// showFound reads texts in the given order, and the stamp of the catalogue with them.
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
