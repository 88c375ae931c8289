package postings

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
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

// A register in a file returns the same passages and words as in memory, and keeps none of them in memory.
func TestSegmentInFileReturnsTheSame(t *testing.T) {
	t.Parallel()
	raw := build(randomRows(rand.New(rand.NewPCG(3, 4)), 20)).Register().Encode()
	made := func() *Segment {
		s, err := Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		return s.Register()
	}
	kept, s := made(), made()
	if err := s.MoveToFile(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if !s.InFile() || kept.InFile() || len(s.names)+len(s.terms)+len(s.ids)+len(s.grams)+len(s.articles)+len(s.docs)+len(s.byID)+len(s.amended)+len(s.skips) > 0 {
		t.Errorf("in a file: %v; what is in memory: %+v", s.InFile(), s)
	}
	if n := len(s.file.docs.classes); n != 2 {
		t.Errorf("20 texts of two kinds are of %d classes", n)
	}
	if !slices.Equal(s.Passages, kept.Passages) || !slices.Equal(s.Lengths, kept.Lengths) || s.TermCount() != kept.TermCount() {
		t.Fatalf("%d passages and %d terms, want %d and %d", len(s.Passages), s.TermCount(), len(kept.Passages), kept.TermCount())
	}
	for p := range uint32(len(kept.Passages)) {
		if !reflect.DeepEqual(s.Identity(p), kept.Identity(p)) || *s.IDOf(p) != *kept.IDOf(p) {
			t.Fatalf("passage %d: %v, want %v", p, s.Identity(p), kept.Identity(p))
		}
		if number := kept.Identity(p).Number; !slices.Equal(s.OfArticle(number), kept.OfArticle(number)) {
			t.Errorf("articles %q: %v, want %v", number, s.OfArticle(number), kept.OfArticle(number))
		}
	}
	for n := range kept.TermCount() {
		a, b := s.Term(n), kept.Term(n)
		passages, grams := s.Frequency(n)
		if a.Name != b.Name || passages != b.passages || grams != b.grams || s.NumberOf(b.Name) != n {
			t.Fatalf("term %d is %v with the number %d, want %v", n, a, s.NumberOf(b.Name), b)
		}
		for _, g := range french.Grams(nil, b.Name) {
			if !slices.Equal(s.TermsWith(g), kept.TermsWith(g)) {
				t.Errorf("piece %v: %v, want %v", g, s.TermsWith(g), kept.TermsWith(g))
			}
		}
	}
	sameTexts(t, s, kept)
	if s.NumberOf("nowhere") != NoTerm || s.OfArticle("nowhere") != nil {
		t.Error("a term that is nowhere is found")
	}
}

// sameTexts checks that two segments return the same about their texts.
func sameTexts(t *testing.T, got, want *Segment) {
	t.Helper()
	if got.DocCount() != want.DocCount() || (View{Segment: got}).Length() != (View{Segment: want}).Length() {
		t.Fatalf("%d texts of length %v, want %d of %v", got.DocCount(), View{Segment: got}.Length(), want.DocCount(), View{Segment: want}.Length())
	}
	for d := range uint32(want.DocCount()) {
		a, b := *got.Doc(d), *want.Doc(d)
		start, end := got.Extent(d)
		pos, known := got.DocOf(b.ID)
		if !reflect.DeepEqual(*got.ClassOf(d), b.Class) || got.DocID(d) != b.ID || start != b.From || end != b.To || pos != d || !known {
			t.Fatalf("text %d: %v, want %v", d, got.ClassOf(d), b)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("text %d: %+v, want %+v", d, a, b)
		}
	}
	if _, known := got.DocOf(uuid.Nil); known {
		t.Error("a text that is nowhere is found")
	}
	for p := range uint32(len(want.Passages)) {
		article := want.Identity(p).Article
		a, new1 := got.NewWording(article)
		b, new2 := want.NewWording(article)
		if new1 != new2 || !slices.Equal(a, b) {
			t.Errorf("article %v words %v anew (%v), want %v (%v)", article, a, new1, b, new2)
		}
	}
	gone := []uuid.UUID{want.DocID(3), want.DocID(4), uuid.Nil}
	a, b := View{Segment: got}.Without(gone), View{Segment: want}.Without(gone)
	if a.Length() != b.Length() || a.DeletedPassages != b.DeletedPassages || !maps.Equal(a.DeletedCounts, b.DeletedCounts) || a.Length() >= (View{Segment: want}).Length() {
		t.Errorf("without two texts %v, want %v", a.Length(), b.Length())
	}
	if !slices.Equal(got.Encode(), want.Encode()) || !slices.Equal(Merge([]View{a}).Encode(), Merge([]View{b}).Encode()) {
		t.Error("the segments are kept or merged otherwise")
	}
}

// HasLawOf is the same in memory and in a file, and ignores deleted texts.
func TestHasLawOf(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(5, 6)), 6)
	for i := range rows {
		rows[i].Countries = []string{"TG"}
	}
	for _, inFile := range []bool{false, true} {
		s := build(rows).Register()
		if inFile {
			if err := s.MoveToFile(t.TempDir()); err != nil {
				t.Fatal(err)
			}
		}
		var all []uuid.UUID
		for d := range uint32(s.DocCount()) {
			all = append(all, s.DocID(d))
		}
		v := View{Segment: s}
		if !v.HasLawOf([]country.Code{"BJ", "TG"}) || v.HasLawOf([]country.Code{"BJ"}) || v.Without(all).HasLawOf([]country.Code{"TG"}) || !v.Without(all[1:]).HasLawOf([]country.Code{"TG"}) {
			t.Errorf("in a file %v: whose law is there is told wrongly", inFile)
		}
	}
}
