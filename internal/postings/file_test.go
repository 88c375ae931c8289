package postings

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

// randomRows are passages of some texts of random words.
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
				Passage:       law.Passage{ID: uuid.NewSHA1(article, nil), DocumentID: document, ArticleID: article, Position: i, Text: body.String()},
				ArticleNumber: fmt.Sprint(i + 1), Path: []string{words[r.IntN(len(words))]}, Title: fmt.Sprintf("Loi n° 2020-%d", n),
				Type: law.Loi, OfficialNumber: fmt.Sprintf("2020-%d", n), Status: law.InForce, From: time.Unix(0, 0),
			})
		}
	}
	return rows
}

// A register tells the same of its passages and words from a file as from memory,
// and holds nothing of them in memory then.
func TestAShelvedSegmentTellsTheSame(t *testing.T) {
	t.Parallel()
	made := func() *Segment {
		r, b := rand.New(rand.NewPCG(3, 4)), NewBuilder()
		for _, row := range randomRows(r, 20) {
			b.Add(row)
		}
		return b.Segment().Register()
	}
	kept, s := made(), made()
	if err := s.MoveToFile(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if !s.InFile() || kept.InFile() || len(s.names)+len(s.terms)+len(s.ids)+len(s.grams)+len(s.articles) > 0 {
		t.Errorf("in a file: %v; in memory %d names, %d terms, %d numbers, %d grams and %d articles", s.InFile(), len(s.names), len(s.terms), len(s.ids), len(s.grams), len(s.articles))
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
	if s.NumberOf("nowhere") != NoTerm || s.OfArticle("nowhere") != nil {
		t.Error("a term that is nowhere is found")
	}
}
