package memindex

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/postings"
	"vigueur/internal/store/postgres"
)

// lookalikes returns words that resemble each other.
func lookalikes() (words []string) {
	for _, w := range strings.Fields("licenciement preavis conge salaire employeur contrat prime grève retraite cotisation indemnite tribunal delai bail") {
		words = append(words, w, w+"s", w+"aire", "re"+w, strings.Replace(w, "e", "a", 1))
	}
	return words
}

// spoken makes the rows of a text of random words.
func spoken(r *rand.Rand, n int) []postgres.IndexRow {
	words := lookalikes()
	bodies := make([]string, 1+r.IntN(12))
	for i := range bodies {
		var b strings.Builder
		for range 5 + r.IntN(40) {
			b.WriteString(words[r.IntN(1+r.IntN(len(words)))] + " ")
		}
		bodies[i] = b.String()
	}
	rows := text(n, bodies...)
	for i := range rows {
		rows[i].Path = []string{words[r.IntN(len(words))], words[r.IntN(len(words))]}
		rows[i].ArticleHeading = words[r.IntN(len(words))]
		rows[i].Domain = []string{"travail", "fiscal"}[n%2]
		rows[i].Status = []law.Status{law.InForce, law.Amended, law.Repealed}[n%3]
	}
	return rows
}

// kept returns the passages of a catalogue as another store would return them.
func (c *catalogue) kept(cosine map[uuid.UUID]float32) (out []Candidate) {
	for id, rows := range c.texts {
		for _, w := range Weigh(rows, 30) {
			out = append(out, Candidate{w.PassageID, id, w.Counts, cosine[w.PassageID]})
		}
	}
	return out
}

// A register that is given all passages finds exactly what the index finds: at first, after changes, and from its file.
func TestRegisterMatchesIndex(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	c := newCatalogue()
	for n := range 30 {
		c.set(id(n), spoken(r, n)...)
	}
	file := File{Dir: t.TempDir(), Moment: (&kept{catalogue: c}).moment}
	full := open(t, c)
	o := Options{Source: c, Register: true, File: file}
	register, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	agree := func(moment string) {
		t.Helper()
		if a, b := full.Average(), register.Average(); a != b {
			t.Errorf("%s: passages are %v long, and %v", moment, a, b)
		}
		questions := []Query{{}, {Repealed: true}, {Filters: law.Filters{Domain: "fiscal"}}, {Filters: law.Filters{Status: law.Repealed}}}
		all := c.kept(nil)
		for i := range 20 {
			q := questions[i%len(questions)]
			words := lookalikes()
			for range 1 + r.IntN(6) {
				q.Text += words[r.IntN(len(words))] + " "
			}
			q.Limit = 1 + r.IntN(80)
			want, got := full.Search(q), register.Among(q, all, false)
			if len(want) != len(got) || len(want) > 0 && !reflect.DeepEqual(want, got) {
				t.Fatalf("%s, %q: %d found, %d among all", moment, q.Text, len(want), len(got))
			}
			if a, b := full.Rarity(strings.Fields(q.Text)), register.Rarity(strings.Fields(q.Text)); !slices.Equal(a, b) {
				t.Errorf("%s: rarities %v and %v", moment, a, b)
			}
		}
		for _, number := range []string{"1", "3"} {
			if a, b := full.Articles(Query{Limit: 99}, nil, []string{number}), register.Articles(Query{Limit: 99}, nil, []string{number}); !reflect.DeepEqual(a, b) {
				t.Errorf("%s: articles %s: %v and %v", moment, number, a, b)
			}
		}
	}
	agree("at first")
	for round := range 6 { // rounds that merge segments
		for range 4 {
			n := r.IntN(40)
			c.set(id(n), spoken(r, n)[:r.IntN(2)]...)
		}
		for _, x := range []*Index{full, register} {
			if err := x.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		agree(fmt.Sprint("change ", round))
	}
	register.save(t.Context())
	if register, err = Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	agree("from its file")
}

func TestMeaningAmongCandidates(t *testing.T) {
	t.Parallel()
	_, x := meant(t)
	d := newCatalogue()
	d.set(id(1), text(1, "Le meunier moud le grain.", "La farine est blanche.")...)
	d.set(id(2), text(2, "Le boulanger cuit le pain.")...)
	register, err := Open(t.Context(), Options{Source: d, Register: true})
	if err != nil {
		t.Fatal(err)
	}
	if register.PerText() != x.PerText() {
		t.Errorf("a register has %v passages a text, the index %v", register.PerText(), x.PerText())
	}
	q := asked(0, 1)
	all := d.kept(map[uuid.UUID]float32{id(1000): 0, id(1001): 1, id(2000): 1})
	want, got := x.Search(q), register.Among(q, all, true)
	if !slices.Equal(passagesOf(got), passagesOf(want)) || len(got) != 3 || !got[0].Semantic {
		t.Errorf("among candidates %v, in the index %v", got, want)
	}
	if got := register.Among(q, all, false); len(got) != 1 || got[0].Semantic {
		t.Errorf("by words alone %v", got)
	}
	// A duplicate, an unknown passage, and one with invalid counts.
	odd := append(slices.Clone(all), all[0], Candidate{PassageID: id(77), DocumentID: id(1)}, Candidate{PassageID: id(77), DocumentID: id(77)})
	if got := register.Among(q, odd, true); !slices.Equal(passagesOf(got), passagesOf(want)) {
		t.Errorf("among odd ones %v", got)
	}
	for i := range all {
		all[i].Counts = "!"
	}
	if got := register.Among(q, all, false); len(got) != 0 {
		t.Errorf("of nothing %v", got)
	}
}

func TestRegisterHasItsOwnFile(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	c.set(id(1), text(1, "le préavis")...)
	file := File{Dir: t.TempDir(), Moment: (&kept{catalogue: c}).moment}
	for _, register := range []bool{true, false} {
		if _, err := Open(t.Context(), Options{Source: c, Register: register, File: file}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(file.Dir, registerName), filepath.Join(file.Dir, fileName)); err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), Options{Source: c, File: file})
	if err != nil {
		t.Fatal(err)
	}
	wantFound(t, found(x, Query{Text: "préavis"}), "1/1")
	defer func() {
		if recover() == nil {
			t.Error("a register says that nothing is found")
		}
	}()
	register, err := Open(t.Context(), Options{Source: c, Register: true})
	if err != nil {
		t.Fatal(err)
	}
	register.Search(Query{Text: "préavis", Limit: 1})
}

func FuzzCounts(f *testing.F) {
	f.Add(packCounts(map[uint32]postings.Count{1: {Body: 1}, 70_000: {Body: 3, Heads: 9}, 1 << 31: {Body: 63, Heads: 1}}))
	f.Add("!")
	f.Add("AAA")
	f.Fuzz(func(t *testing.T, packed string) {
		held := make(map[uint32]postings.Count)
		if !eachCount(packed, func(pos uint32, c postings.Count) { held[pos] = c }) {
			return
		}
		again := make(map[uint32]postings.Count)
		if !eachCount(packCounts(held), func(pos uint32, c postings.Count) { again[pos] = c }) || !reflect.DeepEqual(held, again) {
			t.Errorf("%v is read back as %v", held, again)
		}
	})
}
