package postings

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// randomRows returns passages of texts of random words.
func randomRows(r *rand.Rand, texts int) (rows []postgres.IndexRow) {
	words := strings.Fields("licenciement préavis congé salaire salaires employeur contrat prime grève tribunal délai délais bail")
	for n := range texts {
		document := uuid.NewSHA1(uuid.Nil, []byte(fmt.Sprint(n)))
		for i := range 1 + r.IntN(9) {
			var body strings.Builder
			for range 5 + r.IntN(40) {
				body.WriteString(words[r.IntN(len(words))] + " ")
			}
			article := uuid.NewSHA1(document, []byte(fmt.Sprint(i)))
			rows = append(rows, postgres.IndexRow{
				NewWording: i == 8, Amended: []uuid.UUID{document, article}[:n%3%2+n%2],
				Passage:       law.Passage{ID: uuid.NewSHA1(article, nil), DocumentID: document, ArticleID: article, Position: i, Text: body.String()},
				ArticleNumber: fmt.Sprint(i + 1), Path: []string{words[r.IntN(len(words))]}, Title: fmt.Sprintf("Loi n° 2020-%d", n),
				Type: []law.DocType{law.Loi, law.Decret}[n%2], OfficialNumber: fmt.Sprintf("2020-%d", n), Status: law.InForce, From: time.Unix(0, 0),
			})
		}
	}
	return rows
}

// frequencies returns the number of passages that contain each term, without those of deleted texts.
func frequencies(v View) map[string]uint32 {
	out := make(map[string]uint32)
	for n := range v.TermCount() {
		if passages, _ := v.Frequency(n); passages > v.DeletedCounts[n] {
			out[v.Term(n).Name] = passages - v.DeletedCounts[n]
		}
	}
	return out
}

// Merged registers know the same about each term as a register of the remaining texts.
func TestMergeRegisters(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(31, 32)), 24)
	pos := slices.IndexFunc(rows, func(r postgres.IndexRow) bool { return r.Passage.DocumentID == uuid.NewSHA1(uuid.Nil, []byte("12")) })
	gone := []uuid.UUID{rows[0].Passage.DocumentID, rows[len(rows)-1].Passage.DocumentID}
	var views []View
	for _, part := range [][]postgres.IndexRow{rows[:pos], rows[pos:]} {
		s := build(part).Register()
		views = append(views, View{Segment: s}.Without(gone))
	}
	merged := Merge(views)
	left := slices.DeleteFunc(slices.Clone(rows), func(r postgres.IndexRow) bool { return slices.Contains(gone, r.Passage.DocumentID) })
	want := build(left).Register()
	if a, b := frequencies(View{Segment: merged}), frequencies(View{Segment: want}); !maps.Equal(a, b) {
		t.Errorf("counts %v\nwant   %v", a, b)
	}
	if !merged.Registered() || (View{Segment: merged}).Length() != (View{Segment: want}).Length() || views[0].Length()+views[1].Length() != (View{Segment: want}).Length() {
		t.Errorf("length %v, want %v", View{Segment: merged}.Length(), View{Segment: want}.Length())
	}
	// A merged text can still be subtracted from the counts.
	next := []uuid.UUID{left[0].Passage.DocumentID}
	if a, b := frequencies(View{Segment: merged}.Without(next)), frequencies(View{Segment: want}.Without(next)); !maps.Equal(a, b) {
		t.Errorf("without one more: %v\nwant %v", a, b)
	}
	for _, g := range french.Grams(nil, french.Terms("licenciement")[0]) {
		if len(merged.TermsWith(g)) != len(want.TermsWith(g)) {
			t.Errorf("the piece %v is of %d terms, want %d", g, len(merged.TermsWith(g)), len(want.TermsWith(g)))
		}
	}
}

// Without does not change the view that it is called on, which a search may still use.
func TestWithoutDoesNotChangeTheView(t *testing.T) {
	t.Parallel()
	s := build(randomRows(rand.New(rand.NewPCG(33, 34)), 6))
	one := View{Segment: s}.Without([]uuid.UUID{s.DocID(1)})
	deleted, counts, passages, length := maps.Clone(one.Deleted), maps.Clone(one.DeletedCounts), one.DeletedPassages, one.DeletedLength
	two := one.Without([]uuid.UUID{s.DocID(2), s.DocID(2), s.DocID(1)})
	if !maps.Equal(one.Deleted, deleted) || !maps.Equal(one.DeletedCounts, counts) || one.DeletedPassages != passages || one.DeletedLength != length {
		t.Error("the view before has changed")
	}
	if want := (View{Segment: s}).Without([]uuid.UUID{s.DocID(2)}); two.DeletedPassages != passages+want.DeletedPassages || two.DeletedLength != length+want.DeletedLength {
		t.Errorf("%d passages of length %v, want %d of %v: a text that is named twice is deleted once", two.DeletedPassages, two.DeletedLength, passages+want.DeletedPassages, length+want.DeletedLength)
	}
	if all := (View{Segment: s}).Without([]uuid.UUID{s.DocID(0), s.DocID(1), s.DocID(2), s.DocID(3), s.DocID(4), s.DocID(5)}); all.Length() != 0 || all.DeletedPassages != len(s.Passages) || len(frequencies(all)) != 0 || Merge([]View{all}).DocCount() != 0 {
		t.Errorf("nothing is left, but the length is %v and the counts %v", all.Length(), frequencies(all))
	}
}

// A segment without texts can be merged, encoded and read like any other.
func TestASegmentWithoutTexts(t *testing.T) {
	t.Parallel()
	s := build(nil)
	again, err := Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*Segment{"built": s, "decoded": again, "merged": Merge([]View{{Segment: s}, {Segment: again}})} {
		t.Run(name, func(t *testing.T) {
			if x.DocCount() != 0 || x.TermCount() != 0 || x.NumberOf("preavi") != NoTerm || x.OfArticle("art1") != nil || (View{Segment: x}).Length() != 0 {
				t.Errorf("%d texts, %d terms", x.DocCount(), x.TermCount())
			}
		})
	}
}

// HasLawOf ignores deleted texts.
func TestHasLawOf(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(5, 6)), 6)
	for i := range rows {
		rows[i].Countries = []string{"TG"}
	}
	s := build(rows).Register()
	var all []uuid.UUID
	for d := range uint32(s.DocCount()) {
		all = append(all, s.DocID(d))
	}
	v := View{Segment: s}
	if !v.HasLawOf([]country.Code{"BJ", "TG"}) || v.HasLawOf([]country.Code{"BJ"}) || v.Without(all).HasLawOf([]country.Code{"TG"}) || !v.Without(all[1:]).HasLawOf([]country.Code{"TG"}) {
		t.Error("whose law is there is told wrongly")
	}
}
