package milvus

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/memindex"
	"vigueur/internal/store/postgres"
)

// named returns an id made from a number.
func named(n byte) uuid.UUID { return uuid.UUID{15: n} }

// result returns a result of Milvus with passages of text 9, their counts and scores.
func result(counts []string, scores []float32, passages ...string) client.SearchResult {
	documents := make([]string, len(passages))
	for i := range documents {
		documents[i] = named(9).String()
	}
	return client.SearchResult{ResultCount: len(passages), Scores: scores, Fields: client.ResultSet{
		entity.NewColumnVarChar(fieldPassage, passages), entity.NewColumnVarChar(fieldDocument, documents), entity.NewColumnVarChar(fieldCounts, counts)}}
}

func TestRead(t *testing.T) {
	t.Parallel()
	one, two := named(1), named(2)
	rows := result([]string{"c1", "c2"}, []float32{0.5, 0}, one.String(), two.String())
	first := hit{passage: one.String(), id: one, document: named(9), counts: "c1", cosine: 0.5}
	for name, c := range map[string]struct {
		byMeaning bool
		want      found
	}{
		"by words, those without any are left out": {false, found{first}},
		"by meaning, whatever the likeness":        {true, found{{passage: one.String(), id: one, document: named(9), cosine: 0.5}, {passage: two.String(), id: two, document: named(9)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := read(rows, c.byMeaning); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
	if got, err := read(client.SearchResult{}, false); got != nil || err != nil {
		t.Errorf("nothing found: %v, %v", got, err)
	}
}

// An unexpected result is an error of kind Unavailable, and never a panic.
func TestReadRefusesOtherResults(t *testing.T) {
	t.Parallel()
	id := named(1).String()
	without := func(field string) client.SearchResult {
		r := result([]string{"c"}, []float32{1}, id)
		var left client.ResultSet
		for _, c := range r.Fields {
			if c.Name() != field {
				left = append(left, c)
			}
		}
		r.Fields = left
		return r
	}
	few, number := result([]string{"c"}, []float32{1}, id), result([]string{"c"}, []float32{1}, id)
	few.ResultCount = 2
	number.Fields[0] = entity.NewColumnInt64(fieldPassage, []int64{1})
	text := result([]string{"c"}, []float32{1}, id)
	text.Fields[1] = entity.NewColumnVarChar(fieldDocument, []string{"text"})
	for name, r := range map[string]client.SearchResult{
		"no passages": without(fieldPassage), "no texts": without(fieldDocument), "no counts": without(fieldCounts), "fewer rows than it says": few, "numbers for texts": number,
		"fewer scores than rows": result([]string{"c"}, nil, id), "a passage without an id": result([]string{"c"}, []float32{1}, "x"), "a text without an id": text,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := read(r, false); !errs.Is(err, errs.Unavailable) || got != nil {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

// The rows of a passage become one hit, with the counts of the row that has them and the cosine
// of the nearest row. A passage without a vector has the cosine -1.
func TestRowsOfAPassageAreOne(t *testing.T) {
	t.Parallel()
	row := func(n byte, counts string, cosine float32) hit {
		return hit{passage: named(n).String(), id: named(n), document: named(9), counts: counts, cosine: cosine}
	}
	all := found{row(1, "", 0.1), row(2, "c2", 0.2), row(1, "c1", 0.3), row(1, "other", 0.2), row(3, "", 0.4), row(4, "", 0)}.once()
	if want := (found{row(1, "c1", 0.1), row(2, "c2", 0.2), row(3, "", 0.4), row(4, "", 0)}); !reflect.DeepEqual(all, want) {
		t.Fatalf("once %+v\nwant %+v", all, want)
	}
	all.fill(found{row(1, "", -0.5), row(1, "", -0.2), row(1, "", -0.9), row(3, "", 0.7)}, map[string]string{named(3).String(): "c3", named(1).String(): "no"})
	want := []memindex.Candidate{
		{PassageID: named(1), DocumentID: named(9), Counts: "c1", Cosine: -0.2}, {PassageID: named(2), DocumentID: named(9), Counts: "c2", Cosine: -1},
		{PassageID: named(3), DocumentID: named(9), Counts: "c3", Cosine: 0.7}, {PassageID: named(4), DocumentID: named(9), Cosine: -1},
	}
	if got := all.candidates(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	a, b := entity.NewColumnVarChar("k", []string{"1", "2"}), entity.NewColumnVarChar("v", []string{"x", "y"})
	if got, err := (columnsOf{a, b}).pairs("k", "v"); err != nil || !reflect.DeepEqual(got, map[string]string{"1": "x", "2": "y"}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := (columnsOf{}).pairs("k", "v"); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
	for name, c := range map[string]columnsOf{"no values": {a}, "fewer values": {a, entity.NewColumnVarChar("v", []string{"x"})}, "numbers for keys": {entity.NewColumnInt64("k", []int64{1}), b}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := c.pairs("k", "v"); !errs.Is(err, errs.Unavailable) {
				t.Error(err)
			}
		})
	}
}

// The first row of a passage has its words; each row has the passage's days, the version and one
// vector.
func TestRowsOfColumns(t *testing.T) {
	t.Parallel()
	end := time.Date(1970, 1, 21, 0, 0, 0, 0, time.UTC)
	r := Row{IndexRow: postgres.IndexRow{Passage: law.Passage{ID: named(1), DocumentID: named(9)}, Domain: "travail", Type: law.Loi, Status: law.InForce, From: time.Unix(10*86400, 0), To: &end},
		Weighed: memindex.Weighed{Counts: "counts", Words: memindex.Sparse{Terms: []uint32{4, 7}, Values: []float32{1, 2}}}, Vectors: [][]float32{{1, 0}, {0, 1}}}
	var c columns
	c.add(r, 0, 5, 2)
	c.add(r, 1, 5, 2)
	r.Vectors = nil
	c.add(r, 0, 5, 2)
	r.Lacking, r.To = true, nil
	c.add(r, 0, 5, 2)
	for name, got := range map[string][2]any{
		"ids":      {c.ids, []string{named(1).String() + ":0", named(1).String() + ":1", named(1).String() + ":0", named(1).String() + ":0"}},
		"counts":   {c.counts, []string{"counts", "", "counts", "counts"}},
		"places":   {c.places, []int64{0, 1, placeNone, placeLacking}},
		"from":     {c.from, []int64{10, 10, 10, 10}},
		"to":       {c.to, []int64{20, 20, 20, math.MaxInt32}},
		"versions": {c.versions, []int64{5, 5, 5, 5}},
		"vectors":  {c.vectors, [][]float32{{1, 0}, {0, 1}, {0, 0}, {0, 0}}},
		"domains":  {c.domains, []string{"travail", "travail", "travail", "travail"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !reflect.DeepEqual(got[0], got[1]) {
				t.Errorf("%v, want %v", got[0], got[1])
			}
		})
	}
	for i, terms := range []int{2, 1, 2, 2} { // a row without words has the coordinate that no term has
		if c.words[i].Len() != terms {
			t.Errorf("row %d has %d words, want %d", i, c.words[i].Len(), terms)
		}
	}
}

// A passage lacks a vector if the collection has vectors and the passage has none yet. An empty
// list means that it will never have one.
func TestRowsThatLackVectors(t *testing.T) {
	t.Parallel()
	indexRows := []postgres.IndexRow{{Passage: law.Passage{ID: named(1), DocumentID: named(9), Text: "préavis"}}, {Passage: law.Passage{ID: named(2), DocumentID: named(9), Text: "congé"}},
		{Passage: law.Passage{ID: named(3), DocumentID: named(9), Text: "grève"}}}
	vectors := map[uuid.UUID][][]float32{named(1): {{1, 0}}, named(2): nil}
	for dimensions, want := range map[int]string{2: "1:false 0:false 0:true ", 0: "0:false 0:false 0:false "} {
		t.Run(fmt.Sprint(dimensions, " dimensions"), func(t *testing.T) {
			t.Parallel()
			got := ""
			for i, r := range (Collection{Dimensions: dimensions, Average: 5}).Rows(indexRows, vectors) {
				if got += fmt.Sprintf("%d:%v ", len(r.Vectors), r.Lacking); r.Passage.ID != indexRows[i].Passage.ID || r.PassageID != r.Passage.ID || r.Counts == "" {
					t.Errorf("row %d is of %v with the counts %q", i, r.Passage.ID, r.Counts)
				}
			}
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// A lost collection is an error of kind Unavailable, and Lost reports that only a rebuild helps.
func TestLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{"lost": {lost("dropped"), true}, "wrapped": {fmt.Errorf("search: %w", lost("dropped")), true}, "down": {unavailable("search", errors.New("refused")), false}, "nothing": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Lost(c.err); got != c.want || c.err != nil && !errs.Is(c.err, errs.Unavailable) {
				t.Errorf("lost: %v", got)
			}
		})
	}
}
