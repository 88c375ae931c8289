package fulltext

import (
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func words(list []Lexeme) (spelled []string) {
	for _, l := range list {
		for _, p := range l.Places {
			spelled = append(spelled, fmt.Sprintf("%s:%d%c", l.Word, p.Position, p.Label))
		}
	}
	return spelled
}

func TestLexemes(t *testing.T) {
	t.Parallel()
	got := strings.Join(words(Lexemes(Part{"article 26. Préavis", Name}, Part{"", Headings}, Part{"Les préavis du 3 mai 2010.", Body},
		Part{"Décret n° 2000-192/PRES/PM", Above})), " ")
	want := "2000-192:34D 2000-192-pres-pm:34D 2010-05-03:23C art26:2A articl:1A decret:32D preavi:3A preavi:21C"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if list := Lexemes(Part{strings.Repeat("moulin ", 20000), Body}); len(list) != 1 || len(list[0].Places) != mostPlaces {
		t.Errorf("%d words, %d places", len(list), len(list[0].Places))
	}
	last := Lexemes(Part{strings.Repeat("de ", 20000) + "moulin roue", Body})
	if last[0].Places[0].Position != lastPosition || last[1].Places[0].Position != lastPosition {
		t.Errorf("beyond the last place: %v", last)
	}
	if list := Lexemes(Part{strings.Repeat("a1", 2000), Body}); len(list) != 0 {
		t.Errorf("a word of %d bytes", len(list[0].Word))
	}
}

// If the words that are made from a text change, Analysis must be increased. This test
// detects the change.
func TestAnalysisIsNumbered(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../scripts/sample/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	sum := fnv.New64a()
	fmt.Fprint(sum, words(Lexemes(Part{string(raw), Body})), words(Lexemes(Part{"art. L. 1224-1 bis, trois (3) mois, n° 2010-05, S.A.R.L., vingt-et-un, mille un", Name})))
	if want := uint64(17535032911086398959); sum.Sum64() != want {
		t.Errorf("the words of the sample are others (%d): number Analysis anew, and note the sum here", sum.Sum64())
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"Préavis":                                    `('preavi') & ('preavi':ABC)`,
		"le préavis, les PRÉAVIS":                    `('preavi') & ('preavi':ABC)`,
		`"préavis de démission" écrit`:               `(('preavi' <2> 'demission') & 'ecrit') & (('preavi':ABC <2> 'demission':ABC) | 'ecrit':ABC)`,
		"« préavis écrit »":                          `(('preavi' <1> 'ecrit')) & (('preavi':ABC <1> 'ecrit':ABC))`,
		`"préavis écrit`:                             `('preavi' & 'ecrit') & ('preavi':ABC | 'ecrit':ABC)`,
		"article 14 du code":                         `('art14' & 'code') & ('art14':ABC | 'code':ABC)`,
		"statuts de SARL":                            `('statut' & ('sarl' | 'societ' & 'responsabilit' & 'limit')) & ('statut':ABC | ('sarl':ABC | 'societ':ABC & 'responsabilit':ABC & 'limit':ABC))`,
		"la société à responsabilité limitée unique": `(('societ' & 'responsabilit' & 'limit' | 'sarl') & 'uniqu') & (('societ':ABC & 'responsabilit':ABC & 'limit':ABC | 'sarl':ABC) | 'uniqu':ABC)`,
		`"SARL"`:            `('sarl') & ('sarl':ABC)`,
		"article":           `('articl') & ('articl':ABC)`,
		`a'b | c & !d \ :*`: `('ab') & ('ab':ABC)`,
	} {
		t.Run(typed, func(t *testing.T) {
			if got := Parse(typed).All(); got != want {
				t.Errorf("%s:\n got %s\nwant %s", typed, got, want)
			}
		})
	}
	for _, typed := range []string{"", " ", "le la", `""`, `" de "`, "«»"} {
		t.Run(typed, func(t *testing.T) {
			if !Parse(typed).Empty() {
				t.Errorf("%q is not empty", typed)
			}
		})
	}
}

func TestWordsAreLetGo(t *testing.T) {
	t.Parallel()
	q := Parse("un moulin, une roue, un bief")
	if got, want := fmt.Sprint(q.Fewer()), "[2 1]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := `('moulin' & 'roue' | 'moulin' & 'bief' | 'roue' & 'bief') & ('moulin':ABC | 'roue':ABC | 'bief':ABC)`
	if got := q.Most(2); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := q.Any(), `'moulin' | 'roue' | 'bief'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	long := Parse(strings.Repeat("moulin roue bief meule blé farine sac eau digue vanne arbre pierre ", 3))
	if long.Len() != 12 || long.Fewer()[0] != Relaxable {
		t.Errorf("%d words, %v", long.Len(), long.Fewer())
	}
	if n := strings.Count(long.Most(4), " | "); n != 34+6 {
		t.Errorf("%d parts", n)
	}
	if got := long.Most(7); !strings.Contains(got, "'farin'") || strings.Contains(got, "'sac'") {
		t.Errorf("%s has not the longest words", got)
	}
	// If n is out of range, the nearest possible number is used, so that PostgreSQL can parse
	// every query.
	for n, want := range map[int]int{-1: 1, 0: 1, 4: 3, 100: 3} {
		if got := q.Most(n); got != q.Most(want) || !strings.Contains(got, "'moulin'") || strings.Contains(got, "()") {
			t.Errorf("at least %d: %s", n, got)
		}
	}
	if none := (Query{}); none.Most(1) != "" || none.All() != "" || none.Any() != "" {
		t.Errorf("of nothing: %q, %q, %q", none.Most(1), none.All(), none.Any())
	}
	if Parse("moulin").Fewer() != nil {
		t.Error("one word is let go")
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	q := Parse("préavis démission")
	filler := strings.Repeat("Ceci ne dit rien de cela. ", 30)
	e := q.Excerpt(filler + "Le préavis 🙂 de la démission est écrit. " + filler)
	if !e.Before || !e.After || len(e.Marks) != 2 || utf8.RuneCountInString(e.Text) > 400 {
		t.Fatalf("%+v", e)
	}
	text := []rune(e.Text)
	if a, b := string(text[e.Marks[0].Start:e.Marks[0].End]), string(text[e.Marks[1].Start:e.Marks[1].End]); a != "préavis" || b != "démission" {
		t.Errorf("marked %q and %q", a, b)
	}
	if e := q.Excerpt("Le préavis."); e.Text != "Le préavis." || e.Before || e.After || fmt.Sprint(e.Marks) != "[{3 10}]" {
		t.Errorf("%+v", e)
	}
	if e := q.Excerpt(filler); e.Before || !e.After || !strings.HasPrefix(e.Text, "Ceci") || len(e.Marks) != 0 {
		t.Errorf("%+v", e)
	}
	if e := q.Excerpt(""); e.Text != "" || e.Before || e.After {
		t.Errorf("%+v", e)
	}
}

// For any query and text, the tsquery is well-formed, and excerpts are parts of the text
// with valid marks.
func FuzzExcerpt(f *testing.F) {
	f.Add("préavis", "Le préavis est d’un mois.")
	f.Add(`"a' \\ b" | & ! :* <2>`, "\xff\xfe préavis")
	f.Add("n° 2000-192/PRES", strings.Repeat("é", 500)+"décret n° 2000-192 du 3 mai 2010")
	f.Fuzz(func(t *testing.T, typed, text string) {
		q := Parse(typed)
		e := q.Excerpt(text)
		if !strings.Contains(text, e.Text) {
			t.Fatalf("%q is not of %q", e.Text, text)
		}
		n, pos := utf8.RuneCountInString(e.Text), 0
		for _, m := range e.Marks {
			if m.Start < pos || m.End <= m.Start || m.End > n {
				t.Errorf("mark %v of %d characters", m, n)
			}
			pos = m.End
		}
		if q.Empty() {
			return
		}
		for _, spelled := range []string{q.All(), q.Any(), q.Most(1), q.Most(len(typed) - 2)} {
			if strings.Count(spelled, "'")%2 != 0 || strings.Contains(spelled, "()") {
				t.Errorf("%q is no query", spelled)
			}
		}
	})
}

func TestMarkBeginnings(t *testing.T) {
	t.Parallel()
	beginnings := Beginnings(" Tra, dÉm%_ 2010-0")
	if got := strings.Join(beginnings, " "); got != "tra dem 2010 0" {
		t.Errorf("typed: %q", got)
	}
	if got := fmt.Sprint(MarkBeginnings("🙂 Loi n° 2010-05 sur la démission et l’attrait du travail.", beginnings)); got != "[{9 13} {14 16} {24 33} {50 57}]" {
		t.Error(got)
	}
	if got := MarkBeginnings("", beginnings); got == nil || len(got) != 0 {
		t.Error(got)
	}
	if got := MarkBeginnings("\xff\xfetra", []string{"tra"}); fmt.Sprint(got) != "[{2 5}]" {
		t.Error(got)
	}
}
