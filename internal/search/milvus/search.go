package milvus

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"
	"golang.org/x/sync/errgroup"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

// The number of passages that are ranked per requested hit, and the minimum in total.
const (
	aHit   = 4
	fewest = 320
	// vectorsEach is the number of rows per selected passage that are read to find its
	// nearest vector.
	vectorsEach = 8
	most        = 16_384 // maximum rows of a result in Milvus
)

// Index searches the passages in Milvus. Its fields are set once; it is safe for use by
// many goroutines.
type Index struct {
	Store    *Store
	Register *memindex.Index
	// Lost is called if the collection must be rebuilt; may be nil.
	Lost func(ctx context.Context, why error)

	searched atomic.Pointer[Collection]
}

// Search returns the passages for q, best first, like memindex.Index.Search. An error of kind
// errs.Unavailable means that Milvus did not respond, or not for the whole catalogue; an
// empty result is not an error.
func (x *Index) Search(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	bounded, cancel := context.WithTimeout(ctx, x.Store.patience())
	defer cancel()
	hits, err := x.search(bounded, q)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		err = errs.Wrap(errs.Unavailable, down, fmt.Errorf("%w: %w", ErrSlow, err))
	}
	if err != nil && x.Lost != nil && Lost(err) {
		x.Lost(ctx, err)
	}
	return hits, err
}

// search queries the collection that was searched last, or its successor if that is gone.
func (x *Index) search(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	if known := x.searched.Load(); known != nil {
		if hits, err := x.ask(ctx, *known, q); err == nil {
			return hits, nil
		} else if ctx.Err() != nil {
			return nil, err
		}
	}
	now, err := x.Store.Searched(ctx)
	if err != nil {
		return nil, err
	}
	x.searched.Store(&now)
	return x.ask(ctx, now, q)
}

// asking is one search in one collection.
type asking struct {
	client     client.Client
	collection Collection
	query      memindex.Query
	filter     string // without the condition on vectors
	meant      bool   // searched by meaning, too, if the collection has vectors
	found      found
}

func (x *Index) ask(ctx context.Context, collection Collection, q memindex.Query) ([]memindex.Hit, error) {
	c, err := x.Store.connect(ctx)
	if err != nil {
		return nil, err
	}
	a := asking{client: c, collection: collection, query: q, filter: expression(&q, q.Day),
		meant: len(q.Vector) > 0 && len(q.Vector) == collection.Dimensions && q.Generation == collection.Generation}
	if err := a.look(ctx, x.Register.SparseQuery(q)); err != nil {
		return nil, err
	}
	if err := a.complete(ctx); err != nil {
		return nil, err
	}
	return x.Register.Among(q, a.found.candidates(), a.meant), nil
}

// look selects the passages to be ranked: the best by words and the nearest in meaning, in
// one round trip.
func (a *asking) look(ctx context.Context, wanted memindex.Sparse) error {
	limit := min(max(aHit*a.query.Limit, fewest), most)
	var words, near found
	whole := true
	g, ctx := errgroup.WithContext(ctx)
	if len(wanted.Terms) > 0 {
		g.Go(func() (err error) {
			how, err := entity.NewIndexSparseInvertedSearchParam(0)
			if err == nil {
				words, err = a.search(ctx, fieldWords, embedding(wanted), a.filter, limit, how, fieldCounts)
			}
			return err
		})
	}
	if a.meant {
		g.Go(func() (err error) {
			near, err = a.nearest(ctx, a.query.Vector, a.filter, limit)
			return err
		})
	}
	g.Go(func() (err error) {
		whole, err = a.whole(ctx)
		return err
	})
	err := g.Wait()
	a.meant = a.meant && whole && len(near) > 0
	if a.found = words; a.meant {
		a.found = slices.Concat(words, near)
	}
	return err
}

// whole reports whether all passages that match the filters have their vectors. ErrLost:
// the collection was emptied.
func (a *asking) whole(ctx context.Context) (bool, error) {
	filter := expression(&a.query, time.Time{})
	rows, err := a.client.Query(ctx, a.collection.Name, nil, markOrLacking(filter), []string{fieldID}, client.WithLimit(2), bounded)
	if err != nil {
		return false, unavailable("look for the mark", err)
	}
	column := rows.GetColumn(fieldID)
	if column == nil {
		return false, lost(a.collection.Name + " was emptied")
	}
	marked := false
	for i := range column.Len() {
		id, err := column.GetAsString(i)
		if err != nil {
			return false, unavailable("read", err)
		}
		marked = marked || id == mark
	}
	if !marked && column.Len() < 2 {
		return false, lost(a.collection.Name + " was emptied")
	}
	return marked && column.Len() == 1, nil
}

// complete reads the missing counts and cosines of the selected passages.
func (a *asking) complete(ctx context.Context) error {
	if !a.meant || len(a.found) == 0 {
		return nil
	}
	a.found = a.found.once()
	var passages, uncounted []string
	for _, f := range a.found {
		passages = append(passages, f.passage)
		if f.counts == "" {
			uncounted = append(uncounted, f.passage+":0")
		}
	}
	var cosines found
	var counts map[string]string
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		cosines, err = a.nearest(ctx, a.query.Vector, in(fieldPassage, passages), min(vectorsEach*len(passages), most))
		return err
	})
	if len(uncounted) > 0 {
		g.Go(func() (err error) {
			counts, err = a.counts(ctx, uncounted)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	a.found.fill(cosines, counts)
	return nil
}

// counts reads the counts of passages by the ids of their first rows.
func (a *asking) counts(ctx context.Context, ids []string) (map[string]string, error) {
	rows, err := a.client.Query(ctx, a.collection.Name, nil, in(fieldID, ids), []string{fieldPassage, fieldCounts}, bounded)
	if err != nil {
		return nil, unavailable("read counts", err)
	}
	return columnsOf(rows).pairs(fieldPassage, fieldCounts)
}

// nearest returns the rows nearest in meaning.
func (a *asking) nearest(ctx context.Context, vector []float32, filter string, limit int) (found, error) {
	how, err := entity.NewIndexHNSWSearchParam(min(max(limit, width), 32_768))
	if err != nil {
		return nil, err
	}
	return a.search(ctx, fieldVector, entity.FloatVector(vector), and(filter, meaning), limit, how)
}

// bounded is the consistency level of searches: results are checked with PostgreSQL anyway,
// and waiting for the latest writes would take longer than the search.
var bounded = client.WithSearchQueryConsistencyLevel(entity.ClBounded)

func (a *asking) search(ctx context.Context, field string, v entity.Vector, filter string, limit int, how entity.SearchParam, more ...string) (found, error) {
	rows, err := a.client.Search(ctx, a.collection.Name, nil, filter, append([]string{fieldPassage, fieldDocument}, more...),
		[]entity.Vector{v}, field, entity.IP, limit, how, bounded)
	if err != nil {
		return nil, unavailable("search by "+field, err)
	}
	if len(rows) != 1 || rows[0].Err != nil {
		return nil, unavailable("search by "+field, fmt.Errorf("%d results", len(rows)))
	}
	return read(rows[0], field == fieldVector)
}

// expression returns the filter of a search for what is law on a day in Milvus's syntax, equivalent to
// the filters of the in-memory index; the zero time admits any day.
func expression(q *memindex.Query, day time.Time) string {
	var all []string
	f := &q.Filters
	equal := func(field, value string) {
		if value != "" {
			all = append(all, field+" == "+quote(value))
		}
	}
	equal(fieldDomain, f.Domain)
	equal(fieldType, string(f.Type))
	equal(fieldStatus, string(f.Status))
	if f.DocumentID != nil {
		equal(fieldDocument, f.DocumentID.String())
	}
	if f.Country != "" {
		all = append(all, ofCountries(q.Countries))
	}
	if !q.Repealed && f.Status == "" {
		all = append(all, fieldStatus+" != "+quote(string(law.Repealed)))
	}
	if !day.IsZero() {
		n := days(day)
		all = append(all, fmt.Sprintf("%s <= %d", fieldFrom, n), fmt.Sprintf("%s > %d", fieldTo, n))
	}
	return and(all...)
}

// ofCountries returns a filter for the law of countries, of unions that they are members of, and of texts whose
// country is unknown; "" for no countries.
func ofCountries(asked []country.Code) string {
	if len(asked) == 0 {
		return ""
	}
	any := []string{fieldCountries + ` == ""`}
	for _, c := range country.Fitting(asked) {
		if !strings.ContainsAny(string(c), `%_,"\\`) { // no country has such a code
			any = append(any, fieldCountries+` like "%,`+string(c)+`,%"`)
		}
	}
	return "(" + strings.Join(any, " || ") + ")"
}

// countries encodes the countries of a text for ofCountries: « ,bf,ml, », "" for none.
func countries(codes []country.Code) string {
	if len(codes) == 0 {
		return ""
	}
	var b strings.Builder
	for _, c := range codes {
		b.WriteString("," + string(c))
	}
	return b.String() + ","
}

// days returns the number of days from 1970-01-01 to t.
func days(t time.Time) int64 { return int64(math.Floor(float64(t.Unix()) / 86400)) }

// in returns a filter for rows whose field has one of the values.
func in(field string, values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return field + " in [" + strings.Join(quoted, ", ") + "]"
}

// before returns a filter for rows of texts that were made from a catalogue earlier than
// version.
func before(documents []uuid.UUID, version int64) string {
	names := make([]string, len(documents))
	for i, d := range documents {
		names[i] = d.String()
	}
	return and(in(fieldDocument, names), fmt.Sprintf("%s < %d", fieldVersion, version))
}

// and joins filters; an empty one matches all.
func and(filters ...string) string {
	return strings.Join(slices.DeleteFunc(filters, func(f string) bool { return f == "" }), " && ")
}

// meaning matches rows that have a vector.
var meaning = fmt.Sprintf("%s >= 0", fieldPlace)

// marks matches the mark.
var marks = fmt.Sprintf("%s == %d", fieldPlace, placeMark)

// firsts matches the first row of each passage.
var firsts = fmt.Sprintf("%s <= 0 && %s > %d", fieldPlace, fieldPlace, placeMark)

// markOrLacking matches the mark, and the filtered rows whose vectors are still missing.
func markOrLacking(filter string) string {
	return marks + " || (" + and(fmt.Sprintf("%s == %d", fieldPlace, placeLacking), filter) + ")"
}

// quote encodes a string literal of Milvus's syntax. Milvus has no parameters: every
// external string must be quoted here. Its servers agree only on the escapes of the
// quotation mark and the backslash, so control characters, which no valid value contains,
// become U+FFFD.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if unicode.IsControl(r) || !unicode.IsPrint(r) && !unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
			r = unicode.ReplacementChar
		}
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

// hit is a found passage; some of its fields may be unknown.
type hit struct {
	passage  string
	id       uuid.UUID
	document uuid.UUID
	counts   string
	cosine   float32
}

type found []hit

// read reads a result. In a search by words, passages without any word of the question are
// left out.
func read(rows client.SearchResult, byMeaning bool) (found, error) {
	if rows.ResultCount == 0 {
		return nil, nil
	}
	c := columnsOf(rows.Fields)
	passages, err := c.texts(fieldPassage, rows.ResultCount)
	if err != nil {
		return nil, err
	}
	documents, err := c.texts(fieldDocument, rows.ResultCount)
	if err != nil {
		return nil, err
	}
	counts := make([]string, rows.ResultCount)
	if !byMeaning {
		if counts, err = c.texts(fieldCounts, rows.ResultCount); err != nil {
			return nil, err
		}
	}
	if len(rows.Scores) < rows.ResultCount {
		return nil, unavailable("read", fmt.Errorf("%d scores of %d rows", len(rows.Scores), rows.ResultCount))
	}
	var out found
	for i := range rows.ResultCount {
		if !byMeaning && rows.Scores[i] <= 0 {
			continue
		}
		h := hit{passage: passages[i], counts: counts[i], cosine: rows.Scores[i]}
		if h.id, err = parseID(passages[i]); err != nil {
			return nil, err
		}
		if h.document, err = parseID(documents[i]); err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

func parseID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, unavailable("read", err)
	}
	return id, nil
}

// once removes duplicate passages. It keeps the counts, which only one of a passage's rows
// has.
func (f found) once() (out found) {
	positions := make(map[uuid.UUID]int, len(f))
	for _, h := range f {
		i, known := positions[h.id]
		if !known {
			positions[h.id] = len(out)
			out = append(out, h)
		} else if out[i].counts == "" {
			out[i].counts = h.counts
		}
	}
	return out
}

// fill sets the counts and the cosines of passages. The cosine of a passage is that of its
// nearest row, or -1.
func (f found) fill(cosines found, counts map[string]string) {
	best := make(map[uuid.UUID]float32, len(f))
	for _, h := range cosines {
		if old, known := best[h.id]; !known || h.cosine > old {
			best[h.id] = h.cosine
		}
	}
	for i := range f {
		f[i].cosine = -1
		if c, known := best[f[i].id]; known {
			f[i].cosine = c
		}
		if f[i].counts == "" {
			f[i].counts = counts[f[i].passage]
		}
	}
}

func (f found) candidates() []memindex.Candidate {
	out := make([]memindex.Candidate, len(f))
	for i, h := range f {
		out[i] = memindex.Candidate{PassageID: h.id, DocumentID: h.document, Counts: h.counts, Cosine: h.cosine}
	}
	return out
}

// columnsOf are the columns of a result.
type columnsOf client.ResultSet

// texts reads a column of n strings.
func (c columnsOf) texts(name string, n int) ([]string, error) {
	column, ok := client.ResultSet(c).GetColumn(name).(*entity.ColumnVarChar)
	if !ok || column.Len() < n {
		return nil, unavailable("read", fmt.Errorf("a result without its column %s", name))
	}
	return column.Data()[:n], nil
}

// pairs reads two columns as a map.
func (c columnsOf) pairs(key, value string) (map[string]string, error) {
	n := 0
	if column := client.ResultSet(c).GetColumn(key); column != nil {
		n = column.Len()
	}
	out := make(map[string]string, n)
	if n == 0 {
		return out, nil
	}
	keys, err := c.texts(key, n)
	if err != nil {
		return nil, err
	}
	values, err := c.texts(value, n)
	for i := range values {
		out[keys[i]] = values[i]
	}
	return out, err
}
