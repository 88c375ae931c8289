package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
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
	if number, kind, numbered := law.NumberAlone(key.title); numbered && err == nil {
		f.ids, err = withNumber(ctx, tx, key, f.ids, number, kind)
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
func withNumber(ctx context.Context, tx pgx.Tx, key titleKey, found []uuid.UUID, number string, kind law.DocType) ([]uuid.UUID, error) {
	return collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT d.id FROM documents d WHERE NOT d.in_review AND (d.id = ANY($6) OR d.numero_officiel <> ''
			AND number_stem(d.numero_officiel) = number_stem($4)
			AND (number_signs(d.numero_officiel) = '' OR number_signs($4) = '' OR number_signs(d.numero_officiel) = number_signs($4))
			AND ($5 = '' OR d.doc_type = $5 OR $5 = 'loi' AND d.doc_type IN ('code', 'constitution')))
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		ORDER BY d.promulgated_on DESC, d.id`, key.domain, string(key.docType), string(key.status), number, string(kind), found)
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

// titleMemory is the maximum number of bytes of cached search results by title in a process: enough for four million
// ids.
const titleMemory = 64 << 20

// titleKey is a search by title, used as the key of the cache.
type titleKey struct {
	domain  string
	docType law.DocType
	status  law.Status
	title   string
}

// found is the result of a search: the texts in catalogue order, and the stamp that the catalogue had.
type found struct {
	stamp   int64
	ids     []uuid.UUID
	foreign bool // the ids come from the title index, whose result may change without the stamp
}

// page returns the page of the result that a query selects.
func (f found) page(q DocumentQuery) []uuid.UUID {
	start := min(q.offset(), int64(len(f.ids)))
	return f.ids[start:min(start+int64(q.PageSize), int64(len(f.ids)))]
}

// titleResults is an LRU cache of search results, limited by their memory. The zero value is ready to use, and safe
// for use by many goroutines.
type titleResults struct {
	mu      sync.Mutex
	recent  *simplelru.LRU[titleKey, found]
	room    int // maximum of holding, in bytes; 0: titleMemory
	holding int
}

// sizeOf returns the approximate memory of a result, in bytes.
func sizeOf(key titleKey, f found) int { return 16*len(f.ids) + len(key.title) + 256 }

func (t *titleResults) get(key titleKey) (found, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent == nil {
		return found{}, false
	}
	return t.recent.Get(key)
}

// put caches a result; it replaces an earlier result of the same search.
func (t *titleResults) put(key titleKey, f found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent == nil {
		t.recent, _ = simplelru.NewLRU(math.MaxInt, func(key titleKey, f found) { t.holding -= sizeOf(key, f) }) // NewLRU fails only for a size below 1
	}
	t.recent.Remove(key) // Add would replace the old result without calling the function that subtracts its size
	t.recent.Add(key, f)
	t.holding += sizeOf(key, f)
	for t.holding > cmp.Or(t.room, titleMemory) {
		t.recent.RemoveOldest()
	}
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
	return collect(ctx, db.pool, func(r pgx.CollectableRow) (d law.Document, err error) {
		err = r.Scan(documentFields(&d)...)
		return d, err
	}, `SELECT `+documentColumns+` FROM documents d WHERE NOT d.in_review AND `+condition+`
		AND ($3::uuid[] IS NULL OR d.id <> ALL ($3)) ORDER BY $4 = ANY (d.countries) DESC, d.promulgated_on DESC, d.id LIMIT $2`, pgx.QueryExecModeCacheDescribe, arg, limit, known, country)
}
