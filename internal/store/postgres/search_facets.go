package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

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

// keptCells caches the cells of the whole catalogue. stamp is the catalogue's stamp at which
// they were counted.
type keptCells struct {
	sync.Mutex
	stamp *int64
	cells []cell
}

// cellsOf returns the cells of a search. The cells of the whole catalogue are cached per
// version of the catalogue, because everybody who opens the catalogue needs them: at
// 100,000 texts the database takes a tenth of a second to count them.
func (db *DB) cellsOf(ctx context.Context, tx pgx.Tx, q SearchQuery, words string) ([]cell, error) {
	if !q.All || q.Document != nil || q.Texts != nil || q.From != nil || q.To != nil || q.On != nil {
		return countCells(ctx, tx, q, words)
	}
	var stamp int64
	if err := tx.QueryRow(ctx, stampQuery).Scan(&stamp); err != nil {
		return nil, err
	}
	db.cells.Lock()
	known, cells := db.cells.stamp != nil && *db.cells.stamp == stamp, db.cells.cells
	db.cells.Unlock()
	if known {
		return cells, nil
	}
	cells, err := countCells(ctx, tx, q, words)
	if err == nil {
		db.cells.Lock()
		db.cells.stamp, db.cells.cells = &stamp, cells
		db.cells.Unlock()
	}
	return cells, err
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
	joins, where, args := q.conditions(words)
	return collect(ctx, tx, pgx.RowToStructByPos[cell], fmt.Sprintf(`SELECT d.doc_type, d.nature, d.countries, d.domaine, d.statut, date_part('year', d.promulgated_on)::integer,
			u.article_id IS NOT NULL, count(*) FROM %s%s WHERE %s
		GROUP BY 1, 2, 3, 4, 5, 6, 7`, q.source(), joins, where), append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
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

// facetLength is the maximum number of values in a facet.
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
