package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/spelling"
)

// SearchQuery is a search of the catalogue by words; fields with their zero value do not
// filter.
type SearchQuery struct {
	Words    fulltext.Query
	All      bool           // whether every text matches, regardless of words
	Kind     string         // ArticleUnits, TextUnits; "": both
	Document *uuid.UUID     // text within which to search
	Texts    []uuid.UUID    // texts within which to search; nil: all
	First    []NamedArticle // those that the words name, which come first in this order whatever their words; not if All is set
	On       *time.Time     // day on which a hit must be in force
	Today    time.Time      // day whose wording of an article is shown first if On is nil
	From, To *time.Time     // range of promulgation days, both ends included
	Type     law.DocType
	Nature   string // kind of the text, as Facets.Natures counts it
	Country  string // code; texts that belong to no country, such as a union's, fit any
	Domain   string
	Status   law.Status
	Sort     string // "": by relevance, or newest first if All is set; SortNewest, SortOldest or SortTitle
	Page     int    // from 1
	PageSize int
}

// NamedArticle is an article of a text.
type NamedArticle struct{ Text, ID uuid.UUID }

// The kinds of hits.
const (
	ArticleUnits = "article"
	TextUnits    = "texte"
)

// The orders of lists of texts, besides the default order.
const (
	SortNewest = "recent"
	SortOldest = "ancien"
)

// SearchHit is a matching text or article.
type SearchHit struct {
	Document  law.Document
	Countries []string
	Article   *law.Article  // nil: the text itself matches, by its title or number
	Score     float64       // relevance; a greater score is better, and only scores of one search are comparable
	Assembled *FoundVersion // wording that Article has, if it is assembled
	versions  []FoundVersion
	ended     *time.Time // day from which the whole text is repealed
}

// chooseWording selects the wording of a hit to show: with a day the wording of that day, else the one with most
// different words of the query. Among equals it prefers today's wording, then the printed one, then the oldest.
func (h *SearchHit) chooseWording(q SearchQuery) {
	if h.Article == nil || len(h.versions) == 0 {
		return
	}
	day := q.Today
	if q.On != nil {
		day = *q.On
	}
	target := day.Format(time.DateOnly)
	best, most := -1, -1
	for i, v := range h.versions {
		flag := (v.From == nil || *v.From <= target) && (v.To == nil || target < *v.To)
		if v.Gone || v.Elsewhere || q.On != nil && !flag {
			continue
		}
		held := 3 * q.Words.Held(v.Body) // a word more outweighs the order among equals
		if flag {
			held += 2
		} else if v.Act == nil {
			held++
		}
		if held > most {
			best, most = i, held
		}
	}
	if best < 0 {
		return
	}
	v, a := &h.versions[best], h.Article
	a.ValidFrom, a.ValidTo = bound(a.ValidFrom, v.From, false), bound(h.ended, v.To, true)
	if v.Act != nil {
		a.Text, a.Spans, h.Assembled = v.Body, v.Spans, v
	}
}

// bound returns the earlier or the later of a day and another one, each nil if there is none.
func bound(day *time.Time, than *string, earlier bool) *time.Time {
	if than == nil {
		return day
	}
	d, err := time.Parse(time.DateOnly, *than)
	if err != nil || day != nil && d.Before(*day) != earlier {
		return day
	}
	return &d
}

// Count is the number of hits that have Value.
type Count struct {
	Value string `json:"value"`
	N     int    `json:"count"`
}

// Facets count hits by properties of their texts, most frequent first. Each facet ignores
// the filter on its own property.
type Facets struct {
	Kinds     []Count `json:"kind"`
	Types     []Count `json:"doc_type"`
	Natures   []Count `json:"nature"`
	Countries []Count `json:"pays"`
	Domains   []Count `json:"domaine"`
	Statuses  []Count `json:"statut"`
	Years     []Count `json:"annee"`
}

// SearchResult is a page of hits.
type SearchResult struct {
	Hits   []SearchHit
	Total  int
	Asked  int // number of words and phrases in the query
	Held   int // number of these that every hit contains: less than Asked if nothing contains all
	Facets Facets
}

// Search finds texts and articles of the catalogue by their words, with PostgreSQL alone.
// If no text or article contains all the words, the hits are those that contain the largest
// number of them. All is read in one snapshot of the catalogue, and no two hits share a
// place in the order.
func (db *DB) Search(ctx context.Context, q SearchQuery) (r SearchResult, err error) {
	if q.All {
		q.Words = fulltext.Query{}
	}
	r.Asked = q.Words.Len()
	if q.Words.Empty() && !q.All {
		_, r.Facets = q.facets(nil)
		return r, nil
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		// PostgreSQL would take longer to compile these statements than to run them.
		if _, err := tx.Exec(ctx, `SET LOCAL jit = off`); err != nil {
			return err
		}
		words, held := q.Words.All(), r.Asked
		cells, err := db.cellsOf(ctx, tx, q, words)
		for _, n := range q.Words.Fewer() {
			if err != nil || len(cells) > 0 {
				break
			}
			words, held = q.Words.Most(n), n
			cells, err = countCells(ctx, tx, q, words)
		}
		if err != nil {
			return err
		}
		r.Held = held
		r.Total, r.Facets = q.facets(cells)
		if r.Total > (q.Page-1)*q.PageSize {
			r.Hits, err = findHits(ctx, tx, q, words)
			for i := range r.Hits {
				r.Hits[i].chooseWording(q)
			}
		}
		return err
	})
	return r, classify("search", err)
}

// source returns the FROM item that yields the hits: the search units, or all texts.
func (q SearchQuery) source() string {
	if q.All {
		return `documents d CROSS JOIN LATERAL (SELECT d.id AS document_id, NULL::uuid AS article_id, -1 AS position) u`
	}
	return `search_units u JOIN documents d ON d.id = u.document_id`
}

// conditions returns the SQL of the filters that no facet counts. If q.All is not set, the
// first argument of the statement is the condition on the words.
func (q SearchQuery) conditions(words ...any) (joins, place string, args []any) {
	if !q.All {
		args = words
	}
	add := func(condition string, value any) {
		args = append(args, value)
		place += " AND " + strings.ReplaceAll(condition, "?", fmt.Sprintf("$%d", len(args)))
	}
	place = `u.words @@ $1::tsquery AND NOT d.in_review`
	switch {
	case q.All:
		place = `NOT d.in_review`
	case q.First != nil:
		var ids, texts []uuid.UUID
		for _, a := range q.First {
			ids, texts = append(ids, a.ID), append(texts, a.Text)
		}
		n := len(args)
		args = append(args, ids, texts) // the texts have an index
		place = fmt.Sprintf(`(u.words @@ $1::tsquery OR u.article_id = ANY ($%d) AND u.document_id = ANY ($%d)) AND NOT d.in_review`, n+1, n+2)
	}
	if q.Document != nil {
		add(`u.document_id = ?`, *q.Document)
	}
	if q.Texts != nil {
		add(`u.document_id = ANY (?)`, q.Texts)
	}
	if q.From != nil {
		add(`d.promulgated_on >= ?`, *q.From)
	}
	if q.To != nil {
		add(`d.promulgated_on <= ?`, *q.To)
	}
	if q.On != nil {
		joins = ` LEFT JOIN articles a ON a.id = u.article_id`
		add(`?::date >= greatest(d.in_force_on, a.valid_from) AND coalesce(? < least(`+citableTo+`), true)
			AND (a.assembled_to IS NULL OR NOT EXISTS (SELECT FROM article_versions v WHERE a.id IN (v.article_id, v.printed_in) AND (v.gone OR v.printed_in IS DISTINCT FROM a.id)
				AND (v.valid_from IS NULL OR v.valid_from <= ?) AND (v.valid_to IS NULL OR v.valid_to > ?)))`, *q.On)
	}
	return joins, place, args
}

// findHits reads one page of hits.
func findHits(ctx context.Context, tx pgx.Tx, q SearchQuery, words string) ([]SearchHit, error) {
	joins, place, args := q.conditions(words, q.Words.Any())
	for _, f := range []struct{ condition, value string }{{`d.doc_type = ?`, string(q.Type)}, {`(? = ANY (d.countries) OR d.countries = '{}')`, q.Country},
		{`d.domaine = ?`, q.Domain}, {`d.statut = ?`, string(q.Status)}} {
		if f.value != "" {
			args = append(args, f.value)
			place += " AND " + strings.ReplaceAll(f.condition, "?", fmt.Sprintf("$%d", len(args)))
		}
	}
	if q.Nature != "" {
		args = append(args, q.Nature, string(typeOfWord(q.Nature)))
		place += " AND " + strings.NewReplacer("$1", fmt.Sprintf("$%d", len(args)-1), "$2", fmt.Sprintf("$%d", len(args))).Replace(ofKind)
	}
	switch q.Kind {
	case ArticleUnits:
		place += ` AND u.article_id IS NOT NULL`
	case TextUnits:
		place += ` AND u.article_id IS NULL`
	}
	order, ok := map[string]string{SortNewest: `d.promulgated_on DESC, score DESC`, SortOldest: `d.promulgated_on, score DESC`, SortTitle: `left(d.title_folded, 200) COLLATE "C"`}[q.Sort]
	switch {
	case !ok && q.All:
		order = `score DESC, d.promulgated_on DESC`
	case !ok && q.First != nil:
		order = `array_position($3, u.article_id), score DESC, d.promulgated_on DESC`
	case !ok: // among titles with the same words the shortest is closest: a code comes before the texts that amend it
		order = `score DESC, CASE WHEN u.article_id IS NULL THEN length(d.title_folded) END, d.promulgated_on DESC`
	}
	score := searchScore
	if q.All {
		score = `0::real`
	}
	args = append(args, q.PageSize, int64(q.Page-1)*int64(q.PageSize))
	return collect(ctx, tx, scanHit, fmt.Sprintf(`WITH hits AS MATERIALIZED (
			SELECT u.document_id, u.article_id, u.position, d.promulgated_on, d.title_folded, %s AS score
			FROM %s%s WHERE %s ORDER BY %s, u.document_id, u.position LIMIT $%d OFFSET $%d)
		SELECT h.score, d.countries, coalesce(w.number, a.number), a.path, a.heading, a.page, a.position, a.body, `+inForce+`, `+wordingColumn+`,
			`+foundVersions+`, d.repealed_on, h.article_id, `+documentColumns+`
		FROM hits h JOIN documents d ON d.id = h.document_id LEFT JOIN articles a ON a.id = h.article_id`+wordingJoin+`
		ORDER BY %s, h.document_id, h.position`, score, q.source(), joins, place, order, len(args)-1, len(args), strings.NewReplacer("d.", "h.", "u.", "h.").Replace(order)),
		append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

// searchScore ranks hits by how often and where they contain the words (ts_rank with
// PostgreSQL's default weights). PostgreSQL has fourteen variants: ranking by density or
// frequency, with each of its normalizations. This one is the best on 1,145 citizens'
// questions over 90,071 articles (nDCG@10 18.6). In five-fold cross-validation every fold
// chooses it, and the held-out result is the same.
const searchScore = `ts_rank(u.words, $2::tsquery)`

// scanHit reads a row of findHits.
func scanHit(row pgx.CollectableRow) (h SearchHit, err error) {
	var id *uuid.UUID
	var number, heading, body *string
	var page, position *int
	var w *wordingRow
	var a law.Article
	into := []any{&h.Score, &h.Countries, &number, &a.Path, &heading, &page, &position, &body, &a.ValidFrom, &a.ValidTo, &w, &h.versions, &h.ended, &id}
	if err := row.Scan(append(into, documentFields(&h.Document)...)...); err != nil || id == nil {
		return h, err
	}
	a.ID, a.DocumentID, a.Number, a.Heading, a.Page, a.Position, a.Text = *id, h.Document.ID, *number, *heading, *page, *position, *body
	a.Wording = w.wording()
	h.Article = &a
	return h, nil
}

// cell is the number N of hits that have the same value of every property that facets
// count.
type cell struct {
	Type      law.DocType
	Nature    string
	Countries []string
	Domain    string
	Status    law.Status
	Year      int
	Article   bool
	N         int
}

// kind returns the kind of the texts of a cell: their nature. For texts without one it is the word of their type, and
// also for codes and constitutions, whose nature is that of the act that made them.
func (c cell) kind() string {
	if c.Nature == "" || c.Type == law.Code || c.Type == law.Constitution {
		return law.Capital(c.Type.Word())
	}
	return c.Nature
}

// ofKind is the SQL condition that a text is of a kind: $1 is the nature and $2 the type with the same word.
const ofKind = `(d.nature = $1 AND d.doc_type NOT IN ('code', 'constitution') OR d.doc_type = $2 AND (d.nature = '' OR d.doc_type IN ('code', 'constitution')))`

// typeOfWord returns the type whose word is a kind, "" if there is none.
func typeOfWord(kind string) law.DocType {
	for _, t := range law.DocTypes() {
		if law.Capital(t.Word()) == kind {
			return t
		}
	}
	return ""
}

// kept caches values under names, until their stamp changes: that of the catalogue, or a slot of time.
type kept[T any] struct {
	mu     sync.Mutex
	stamp  int64
	values map[string]T
}

// keptMost is the maximum number of names. Further values are read each time.
const keptMost = 300

// get returns the value with a name, from read if it is not cached.
func (k *kept[T]) get(stamp int64, name string, read func() (T, error)) (value T, err error) {
	k.mu.Lock()
	if k.values == nil || k.stamp != stamp {
		k.stamp, k.values = stamp, map[string]T{}
	}
	values := k.values
	value, known := values[name]
	k.mu.Unlock()
	if known {
		return value, nil
	}
	if value, err = read(); err == nil {
		k.mu.Lock()
		if len(values) < keptMost {
			values[name] = value
		}
		k.mu.Unlock()
	}
	return value, err
}

// stampOf returns the stamp of the catalogue.
func stampOf(ctx context.Context, q querier) (stamp int64, err error) {
	err = q.QueryRow(ctx, stampQuery).Scan(&stamp)
	return stamp, err
}

// cellsOf returns the cells of a search. The cells of the whole catalogue are cached, because everybody who opens the
// catalogue needs them: at 100,000 texts the database takes a tenth of a second to count them.
func (db *DB) cellsOf(ctx context.Context, tx pgx.Tx, q SearchQuery, words string) ([]cell, error) {
	count := func() ([]cell, error) { return countCells(ctx, tx, q, words) }
	if !q.All || q.Document != nil || q.Texts != nil || q.From != nil || q.To != nil || q.On != nil {
		return count()
	}
	stamp, err := stampOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	return db.cells.get(stamp, "", count)
}

// Countries counts the texts of the catalogue by country, most frequent first. It leaves out texts without a country.
func (db *DB) Countries(ctx context.Context) (list []Count, err error) {
	q := SearchQuery{All: true}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		cells, err := db.cellsOf(ctx, tx, q, "")
		by := counts{}
		for _, c := range cells {
			for _, code := range c.Countries {
				by[code] += c.N
			}
		}
		list = by.list()
		return err
	})
	return list, classify("countries", err)
}

// countCells counts the hits that pass all filters except those of facets.
func countCells(ctx context.Context, tx pgx.Tx, q SearchQuery, words string) ([]cell, error) {
	joins, place, args := q.conditions(words)
	return collect(ctx, tx, pgx.RowToStructByPos[cell], fmt.Sprintf(`SELECT d.doc_type, d.nature, d.countries, d.domaine, d.statut, date_part('year', d.promulgated_on)::integer,
			u.article_id IS NOT NULL, count(*) FROM %s%s WHERE %s
		GROUP BY 1, 2, 3, 4, 5, 6, 7`, q.source(), joins, place), append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

// facet is a set of filters that facets count.
type facet uint

const (
	byType facet = 1 << iota
	byNature
	byCountry
	byDomain
	byStatus
	byKind
)

// misses returns the set of filters that the hits of a cell do not pass.
func (q SearchQuery) misses(c cell) (set facet) {
	for _, f := range []struct {
		is     facet
		passed bool
	}{
		{byType, q.Type == "" || q.Type == c.Type}, {byNature, q.Nature == "" || q.Nature == c.kind()},
		{byCountry, q.Country == "" || len(c.Countries) == 0 || slices.Contains(c.Countries, q.Country)}, {byDomain, q.Domain == "" || q.Domain == c.Domain},
		{byStatus, q.Status == "" || q.Status == c.Status}, {byKind, q.Kind == "" || (q.Kind == ArticleUnits) == c.Article},
	} {
		if !f.passed {
			set |= f.is
		}
	}
	return set
}

// facets returns the number of hits that pass every filter, and the counts of all facets.
func (q SearchQuery) facets(cells []cell) (total int, f Facets) {
	types, natures, countries, domains, statuses, kinds, years := counts{}, counts{}, counts{}, counts{}, counts{}, counts{}, counts{}
	anywhere := 0
	for _, c := range cells {
		missed := q.misses(c)
		if len(c.Countries) == 0 && missed&^byCountry == 0 {
			anywhere += c.N
		}
		if missed == 0 {
			total += c.N
			years[strconv.Itoa(c.Year)] += c.N
		}
		for _, one := range []struct {
			own    facet
			into   counts
			values []string
		}{{byType, types, []string{string(c.Type)}}, {byNature, natures, []string{c.kind()}}, {byCountry, countries, c.Countries},
			{byDomain, domains, []string{c.Domain}}, {byStatus, statuses, []string{string(c.Status)}}, {byKind, kinds, []string{kindOfUnit(c.Article)}}} {
			if missed&^one.own != 0 {
				continue
			}
			for _, value := range one.values {
				one.into[value] += c.N
			}
		}
	}
	for code := range countries {
		countries[code] += anywhere
	}
	return total, Facets{Types: types.list(), Natures: natures.list(), Countries: countries.list(), Domains: domains.list(),
		Statuses: statuses.list(), Kinds: kinds.list(), Years: years.list()}
}

func kindOfUnit(article bool) string {
	if article {
		return ArticleUnits
	}
	return TextUnits
}

// counts maps a value to its number of hits.
type counts map[string]int

const facetLength = 50

// list returns the values with their counts, most frequent first.
func (c counts) list() []Count {
	out := make([]Count, 0, len(c))
	for value, n := range c {
		out = append(out, Count{value, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value)) })
	return out[:min(len(out), facetLength)]
}

// SoughtWord is a word of a question with its synonyms.
type SoughtWord struct {
	Terms  []string // the word and its synonyms, as package french normalizes them
	Weight float64  // score of an article that contains any of Terms
}

// SoughtIn filters a search by words. Zero values do not filter, with one exception:
// repealed texts are left out unless Repealed is set.
type SoughtIn struct {
	law.Filters           // Filters other than Date, which is ignored
	Day         time.Time // day on which an article must be in force
	Repealed    bool      // whether repealed texts are included
}

// soughtPool is the maximum number of articles that are ranked by how often they contain
// the words. These are the articles that contain the most words.
const soughtPool = 2000

// WithWords returns the passages, as IndexRows does, of at most limit articles: those with
// the highest total weight of the words that they contain, and among equals those that
// contain the words most often. The rows are ordered by text. The words of an article are
// those of its text, its headings and the title of its text.
func (db *DB) WithWords(ctx context.Context, words []SoughtWord, soughtIn SoughtIn, limit int) (rows []IndexRow, err error) {
	queries, weights := make([]string, len(words)), make([]float64, len(words))
	for i, w := range words {
		queries[i], weights[i] = fulltext.AnyOf(w.Terms), w.Weight
	}
	if len(words) == 0 {
		return nil, nil
	}
	narrow, args := soughtIn.conditions(queries, weights, strings.Join(queries, " | "), soughtPool, limit)
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		// PostgreSQL would take longer to compile the statement than to run it.
		if _, err := tx.Exec(ctx, `SET LOCAL jit = off`); err != nil {
			return err
		}
		found, err := tx.Query(ctx, `WITH held AS (
				SELECT u.document_id, u.position, sum(w.weight) AS held FROM unnest($1::text[], $2::float8[]) AS w (query, weight)
				JOIN LATERAL (SELECT document_id, position FROM search_units WHERE words @@ w.query::tsquery AND position >= 0`+narrow.units+`) u ON true
				GROUP BY u.document_id, u.position),
			best AS (
				SELECT u.article_id, u.words, h.held FROM held h JOIN search_units u USING (document_id, position)
					JOIN documents d ON d.id = h.document_id JOIN articles a ON a.id = u.article_id
				WHERE NOT d.in_review`+narrow.texts+` ORDER BY h.held DESC, h.document_id, h.position LIMIT $4)
			SELECT article_id FROM best ORDER BY held DESC, ts_rank(words, $3::tsquery) DESC, article_id LIMIT $5`, args...)
		if err != nil {
			return err
		}
		articles, err := pgx.CollectRows(found, pgx.RowTo[uuid.UUID])
		if err != nil || len(articles) == 0 {
			return err
		}
		return indexRows(ctx, tx, `a.id = ANY($1)`, articles, func(r IndexRow) error {
			rows = append(rows, r)
			return nil
		})
	})
	return rows, classify("with words", err)
}

// narrowing holds the SQL conditions of a search's filters, on search units and on texts.
type narrowing struct{ units, texts string }

// conditions returns the filters in SQL, equivalent to those of the in-memory index. It
// appends its arguments to args, the arguments of the statement so far.
func (soughtIn SoughtIn) conditions(args ...any) (narrow narrowing, _ []any) {
	place := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args))
	}
	if soughtIn.DocumentID != nil {
		narrow.units = ` AND document_id = ` + place(*soughtIn.DocumentID)
	}
	for _, f := range []struct{ column, value string }{{"domaine", soughtIn.Domain}, {"doc_type", string(soughtIn.Type)}, {"statut", string(soughtIn.Status)}} {
		if f.value != "" {
			narrow.texts += ` AND d.` + f.column + ` = ` + place(f.value)
		}
	}
	if !soughtIn.Repealed && soughtIn.Status == "" {
		narrow.texts += ` AND d.statut <> ` + place(string(law.Repealed))
	}
	if !soughtIn.Day.IsZero() {
		day := place(soughtIn.Day)
		narrow.texts += ` AND ` + day + `::date >= greatest(d.in_force_on, a.valid_from) AND coalesce(` + day + ` < least(` + citableTo + `), true)`
	}
	return narrow, args
}

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

// CatalogueTexts calls yield with each given text of the catalogue, or with every text if
// ids is nil. It stops at the first error of yield.
func (db *DB) CatalogueTexts(ctx context.Context, ids []uuid.UUID, yield func(law.Document) error) error {
	rows, err := db.pool.Query(ctx, `SELECT `+documentColumns+` FROM documents d
		WHERE NOT d.in_review AND ($1::uuid[] IS NULL OR d.id = ANY($1))`, ids)
	if err != nil {
		return classify("catalogue texts", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d law.Document
		if err := rows.Scan(documentFields(&d)...); err != nil {
			return classify("catalogue texts", err)
		}
		if err := yield(d); err != nil {
			return err
		}
	}
	return classify("catalogue texts", rows.Err())
}

// Nearest returns the ids of texts whose titles are similar to q.Title and that match the
// other filters of q.
type Nearest func(ctx context.Context, q DocumentQuery) ([]uuid.UUID, error)

// UseNearest makes searches by title call near if no title contains the search text; if
// near fails, PostgreSQL finds similar titles instead. It must be called before the first
// search.
func (db *DB) UseNearest(nearest Nearest) { db.near = nearest }

// nearest asks the title index. ok is false if the index does not respond. The index may
// lack changes of the catalogue, so the texts are read from the catalogue afterwards.
func (db *DB) nearest(ctx context.Context, tx pgx.Tx, q DocumentQuery) (ids []uuid.UUID, ok bool, err error) {
	if db.near == nil {
		return nil, false, nil
	}
	hits, err := db.near(ctx, q)
	if err != nil {
		return nil, false, nil //nolint:nilerr // near has logged the error
	}
	ids, err = listAlike(ctx, tx, q, `d.id = ANY($4)`, hits) // the index also completes words that have an error
	return ids, err == nil, err
}
