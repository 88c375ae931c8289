package named

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
	"vigueur/internal/search/question"
)

// meantOf returns the texts that a reference means among all texts, as the rules say.
func meantOf(all []Candidate, r question.Reference, asked []country.Code) []Candidate {
	asked = r.AskedCountries(asked)
	return meantAmong(byName(all, r), r, asked)
}

// titles returns the titles of texts, in order.
func titles(texts []Candidate) (out []string) {
	for _, t := range texts {
		out = append(out, t.Document.Title)
	}
	return out
}

// mills returns n laws whose titles differ in one term.
func mills(n int, codes ...country.Code) (out []Candidate) {
	for i := range n {
		out = append(out, known(fmt.Sprintf("Loi relative au moulin banal numéro %d", i), law.Loi, "", "2015-01-01", codes...))
	}
	return out
}

func TestTextsOfANumber(t *testing.T) {
	t.Parallel()
	day := time.Date(2000, 5, 17, 0, 0, 0, 0, time.UTC)
	all := []Candidate{
		known("Décret A", law.Decret, "2000-190/PRES", "2000-05-17"),
		known("Décret B", law.Decret, "2000-190/MF", "2000-06-01"),
		known("Décret C", law.Decret, "2000-190", "2001-01-01"),
		known("Code D", law.Code, "2000-191", "2000-05-17"),
		known("Constitution E", law.Constitution, "2000-192", "2000-05-17"),
		known("Sans numéro", law.Decret, "", "2000-05-17"),
	}
	for name, c := range map[string]struct {
		of   question.Reference
		want []string
	}{
		"the very number goes first":            {read.Reference{Number: "2000-190"}, []string{"Décret C"}},
		"its signs":                             {read.Reference{Number: "2000-190/MF"}, []string{"Décret B"}},
		"its day goes before the very number":   {read.Reference{Number: "2000-190", Date: day}, []string{"Décret A"}},
		"a day that none has decides nothing":   {read.Reference{Number: "2000-190", Date: day.AddDate(9, 0, 0)}, []string{"Décret C"}},
		"a code is called a law":                {read.Reference{Number: "2000-191", Type: law.Loi}, []string{"Code D"}},
		"so is a constitution":                  {read.Reference{Number: "2000-192", Type: law.Loi}, []string{"Constitution E"}},
		"a code is not called a decree":         {read.Reference{Number: "2000-191", Type: law.Decret}, nil},
		"a law is not called a code":            {read.Reference{Number: "2000-190", Type: law.Code}, nil},
		"a number that no text has":             {read.Reference{Number: "2000-193"}, nil},
		"texts without a number have none":      {read.Reference{Number: "—"}, nil},
		"a number is looked up before a title":  {read.Reference{Number: "2000-191", Title: "Décret A"}, []string{"Code D"}},
		"a number counts whatever its day says": {read.Reference{Number: "2000-191", Date: day.AddDate(0, 0, 1)}, []string{"Code D"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := titles(byName(all, c.of)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestTextsOfATitle(t *testing.T) {
	t.Parallel()
	all := []Candidate{
		known("Loi modifiant le Code des moulins", law.Loi, "", "2020-01-01"),
		known("Code des moulins et des fours banals", law.Code, "", "2010-01-01"),
		known("Code des moulins", law.Code, "", "2000-01-01"),
		known("Décret relatif à la constitution du registre", law.Decret, "", "2005-01-01"),
		known("Loi abrogeant le Code des gabelles", law.Loi, "", "2021-01-01"),
	}
	for name, c := range map[string]struct {
		title string
		kind  law.DocType
		want  []string
	}{
		"the shortest title first, none that amends": {"code des moulins", law.Code, []string{"Code des moulins", "Code des moulins et des fours banals"}},
		"all its terms":                            {"code des fours", law.Code, []string{"Code des moulins et des fours banals"}},
		"one term too many":                        {"code des moulins à vent", law.Code, nil},
		"one that amends, where there is no other": {"code des gabelles", law.Code, []string{"Loi abrogeant le Code des gabelles"}},
		"a decree that speaks of a constitution":   {"constitution", law.Constitution, nil},
		"no kind is asked for":                     {"registre", "", []string{"Décret relatif à la constitution du registre"}},
		"words without a term":                     {"de la", law.Code, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := titles(meantOf(all, read.Reference{Title: c.title, Type: c.kind}, nil)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// The stem of a stem may differ: « procédure » becomes « procedur », and that « procedu ».
func TestTitlesAreStemmedOnce(t *testing.T) {
	t.Parallel()
	all := []Candidate{known("Code de procédure pénale", law.Code, "", "2012-12-17", "bj"), known("Code de justice militaire", law.Code, "", "2012-12-17", "bj")}
	for asked, want := range map[string]string{
		"le code de procédure pénale":          "Code de procédure pénale",
		"le code de procédure pénale du Bénin": "Code de procédure pénale",
		"le code de justice militaire":         "Code de justice militaire",
	} {
		t.Run(asked, func(t *testing.T) {
			t.Parallel()
			q := question.Read(asked, question.Conversation{})
			if len(q.References) != 1 {
				t.Fatalf("%+v", q.References)
			}
			if got := titles(meantOf(all, q.References[0], q.Countries)); !slices.Equal(got, []string{want}) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestTextsOfADateOrAYear(t *testing.T) {
	t.Parallel()
	day := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	salt := known("Décret sur le sel", law.Decret, "", "2015-01-01")
	all := append(mills(2), salt, known("Loi sur le sel", law.Loi, "", "2015-03-01"), known("Loi sur le sel gris", law.Loi, "", "2016-01-01"))
	for name, c := range map[string]struct {
		of   question.Reference
		want []string
	}{
		"a day":                         {read.Reference{Date: day, Type: law.Decret}, []string{"Décret sur le sel"}},
		"a day, of any kind":            {read.Reference{Date: day}, append(titles(all[:2]), "Décret sur le sel")},
		"a year":                        {question.Reference{Year: 2016}, []string{"Loi sur le sel gris"}},
		"a year and one word":           {read.Reference{Type: law.Loi, Year: 2015, Phrase: "sel marin"}, []string{"Loi sur le sel"}},
		"a year and words of no title":  {read.Reference{Type: law.Loi, Year: 2015, Phrase: "vent"}, nil},
		"a year that has none":          {question.Reference{Year: 1999}, nil},
		"nothing is named":              {question.Reference{}, nil},
		"a day goes before its year":    {read.Reference{Date: day, Type: law.Decret, Year: 2016}, []string{"Décret sur le sel"}},
		"two words are too few a title": {question.Reference{Phrase: "loi sel"}, nil},
		"three words are a title":       {question.Reference{Phrase: "loi sel gris"}, []string{"Loi sur le sel gris"}},
		"the first words of a question": {question.Reference{Phrase: "loi sel gris vaut au marché"}, []string{"Loi sur le sel gris"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := titles(byName(all, c.of)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestNameOfTooManyTexts(t *testing.T) {
	t.Parallel()
	name := read.Reference{Title: "moulin banal"}
	benin, senegal := []country.Code{"bj"}, []country.Code{"sn"}
	silent := known("Loi relative au moulin banal", law.Loi, "", "2015-01-01")
	for about, c := range map[string]struct {
		all   []Candidate
		of    question.Reference
		asked []country.Code
		want  int
	}{
		"as many as may be":                          {mills(mostOfName), name, nil, mostOfName},
		"one more":                                   {mills(mostOfName + 1), name, nil, 0},
		"those of another country do not count":      {append(mills(mostOfName, "bj"), mills(mostOfName, "sn")...), name, benin, mostOfName},
		"too many of the country":                    {append(mills(mostOfName+1, "bj"), mills(1, "sn")...), name, benin, 0},
		"no country is asked about":                  {append(mills(3, "bj"), mills(3, "sn")...), name, nil, 0},
		"the country's own before those of none":     {append(mills(mostOfName), mills(2, "sn")...), name, senegal, 2},
		"those of none, where it has none":           {append(mills(3), mills(2, "bj")...), name, senegal, 3},
		"a country that has none":                    {mills(2, "bj"), name, senegal, 0},
		"a number may be that of any number of them": {slices.Repeat([]Candidate{known("Arrêté n° 12", law.Arrete, "12", "2015-01-01")}, mostOfName+1), read.Reference{Number: "12"}, nil, mostOfName + 1},
		"one that tells of no country is anybody's":  {[]Candidate{silent}, name, benin, 1},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			if got := len(meantOf(c.all, c.of, c.asked)); got != c.want {
				t.Errorf("%d texts, want %d", got, c.want)
			}
		})
	}
}

// The texts of the longest prefix contain the first k terms, for the greatest k for which there are any. Texts that
// contain k terms also contain k-1, so k can be found by binary search with an index that finds the texts of a set of
// terms.
func TestLongestPrefixByBinarySearch(t *testing.T) {
	t.Parallel()
	words := []string{"loi", "sel", "moulin", "four", "grain", "banal", "registre", "modifiant"}
	r := rand.New(rand.NewPCG(1, 2))
	some := func(n int) (out []string) {
		for range n {
			out = append(out, french.Terms(words[r.IntN(len(words))])...)
		}
		return out
	}
	found := 0
	for range 2000 {
		var all []Candidate
		for i := range r.IntN(12) {
			x := Candidate{terms: some(1 + r.IntN(6))}
			x.Document.ID = uuid.UUID{byte(i + 1)}
			all = append(all, x)
		}
		phrase, fewest := some(r.IntN(8)), 1+r.IntN(3)
		holding := func(k int) []Candidate {
			return keepGood(all, func(t Candidate) bool { return holds(t.terms, phrase[:k]) })
		}
		low, high := fewest-1, len(phrase) // the greatest k is between these; it is low if there is none
		for low < high {
			if middle := (low + high + 1) / 2; len(holding(middle)) > 0 {
				low = middle
			} else {
				high = middle - 1
			}
		}
		var want []Candidate
		if low >= fewest && len(phrase) >= fewest {
			want = preferGood(holding(low), func(t Candidate) bool { return !amending(t.terms) })
		}
		got := longest(all, phrase, fewest)
		found += len(got)
		if !slices.EqualFunc(got, want, func(a, b Candidate) bool { return a.Document.ID == b.Document.ID }) {
			t.Fatalf("of %q, %d at least: %v, want %v", phrase, fewest, got, want)
		}
	}
	if found == 0 {
		t.Error("no phrase was found")
	}
}

func TestPhraseTerms(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"code du travail du Sénégal":       "code du travail",
		"code du travail sénégalais":       "code du travail",
		"acte uniforme sur la vente":       "acte uniforme sur la vente",
		"loi béninoise sur le sel du Togo": "loi sur le sel",
		"loi sur le sel":                   "loi sur le sel",
		"Burkina Faso":                     "",
		"":                                 "",
		"le code du travail burkinabè des mineurs": "code du travail des mineurs",
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			if got := phraseTerms(words); !slices.Equal(got, french.Terms(want)) {
				t.Errorf("%q, want those of %q", got, want)
			}
		})
	}
}
