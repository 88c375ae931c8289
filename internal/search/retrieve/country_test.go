package retrieve_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/answer/prompt"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// ofOneArticle returns a law with one article, of the country with that code.
func ofOneArticle(number, title, country, article string) postgres.StoredText {
	x := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail", OfficialNumber: number,
		Promulgated: date("2020-01-15"), EntersInForce: date("2020-01-15"), FirstPage: 1, LastPage: 1}, Countries: []string{country}}
	a := law.Article{ID: postgres.NewID(), Number: "1er", Page: 1, Text: article}
	x.Articles = []law.Article{a}
	x.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: a.ID, Page: 1, Text: article}}
	return x
}

// The law of an invented country must not answer questions about a real one: not if the
// catalogue has law of the real country on the matter, nor if it has such law on other
// matters only, nor if it has none. If the question names no country, the passages say to
// which countries they belong.
func TestLawOfAnInventedCountry(t *testing.T) {
	t.Parallel()
	const invented = "x-Astrevalle"
	db, lexicon := pgtest.New(t), french.NewLexicon()
	texts := sampleTexts(t)
	own := make(map[uuid.UUID]bool)
	for i := range texts {
		texts[i].Countries = []string{invented}
		own[texts[i].Document.ID] = true
	}
	saved(t, db, append(texts,
		ofOneArticle("2020-04", "Loi n° 2020-04 portant Code du travail", "ga", "Le préavis de démission d’un cadre est de quatre mois."),
		ofOneArticle("2020-05", "Loi n° 2020-05 relative aux ports", "sn", "Tout navire paie des droits de port."))...)
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	s := &retrieve.Searcher{DB: db, Index: index, Names: db, Now: today, Lexicon: lexicon}
	for _, q := range sampleQuestions(t) {
		for _, where := range []string{" au Gabon ?", " au Sénégal ?", " au Bénin ?"} {
			r := search(t, s, retrieve.Question{Text: q.Question[:len(q.Question)-len(" ?")] + where})
			if r.Verdict.Answers() && own[r.Hits[0].Document.ID] {
				t.Errorf("%q%s is answered from %s, %v", q.Question, where, first(r), r.Hits[0].Countries)
			}
		}
	}
	const question = "Combien de temps dure le préavis d’un cadre qui démissionne"
	if r := search(t, s, retrieve.Question{Text: question + " au Gabon ?"}); !r.Verdict.Answers() || first(r) != "2020-04 1er" {
		t.Errorf("in Gabon: %v, first %s", r.Verdict.Grade, first(r))
	}
	named := make(map[string]bool)
	r := search(t, s, retrieve.Question{Text: question + " ?"})
	for _, p := range prompt.Passages(&r) {
		named[p.Country] = true
	}
	if !r.Verdict.Answers() || !named["Astrevalle"] || !named["Gabon"] {
		t.Errorf("without a country: %v, passages of %v", r.Verdict.Grade, named)
	}
}

// Whose law answers is said if the catalogue has law of others, however unlikely these answer.
func TestTheOnlyCountryThatAnswersIsNamed(t *testing.T) {
	t.Parallel()
	for others, want := range map[string]country.Code{"sn": "ga", "ga": "", "cemac": ""} {
		db, lexicon := pgtest.New(t), french.NewLexicon()
		saved(t, db, ofOneArticle("2020-04", "Loi n° 2020-04 portant Code du travail", "ga", "Le préavis de démission d’un cadre est de quatre mois."),
			ofOneArticle("2020-05", "Loi n° 2020-05 relative aux ports", others, "Le cadre du navire est peint en quatre mois."))
		index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
		if err != nil {
			t.Fatal(err)
		}
		s := &retrieve.Searcher{DB: db, Index: index, Names: db, Now: today, Lexicon: lexicon}
		r := search(t, s, retrieve.Question{Text: "Combien de temps dure le préavis d’un cadre qui démissionne ?"})
		if first(r) != "2020-04 1er" || r.Country != want || len(r.OtherCountries) > 0 {
			t.Errorf("beside law of %q: %s of %q, others %v", others, first(r), r.Country, r.OtherCountries)
		}
	}
}

// The law of each country that a question compares is found, and the answer says which countries these are.
func TestCountriesThatAreCompared(t *testing.T) {
	t.Parallel()
	db, lexicon := pgtest.New(t), french.NewLexicon()
	texts := []postgres.StoredText{ofOneArticle("2020-20", "Loi n° 2020-20 relative aux contrats", "bj", "Celui qui quitte son emploi de cadre le dit deux mois avant.")}
	for i := range 10 {
		number := fmt.Sprintf("2020-%d", i+1)
		texts = append(texts, ofOneArticle(number, "Loi n° "+number+" portant Code du travail", "ga", fmt.Sprintf("Le préavis de démission d’un cadre de la classe %d est de quatre mois.", i+1)))
	}
	saved(t, db, texts...)
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	s := &retrieve.Searcher{DB: db, Index: index, Names: db, Now: today, Lexicon: lexicon}
	r := search(t, s, retrieve.Question{Text: "Quel est le préavis de démission d’un cadre au Bénin et au Gabon ?"})
	if r.Country != "ga" || !slices.Equal(r.OtherCountries, []country.Code{"bj"}) || r.Hits[1].Document.OfficialNumber != "2020-20" || r.Verdict.Certain() {
		t.Errorf("the law of %q and %q, second %s, %v", r.Country, r.OtherCountries, r.Hits[1].Document.OfficialNumber, r.Verdict.Grade)
	}
	if p := prompt.Of(&r, ""); p.Passages[1].Country != "Bénin" {
		t.Errorf("the second passage is of %q", p.Passages[1].Country)
	}
	if r = search(t, s, retrieve.Question{Text: "Quel est le préavis de démission d’un cadre en droit gabonais, à Libreville ?"}); r.Country != "" || len(r.OtherCountries) > 0 {
		t.Errorf("one country by two names: the law of %q and %q", r.Country, r.OtherCountries)
	}
}

// Of a text whose country nobody gave, an answer about the law of a country that it mentions says so and is unsure; there is none about the law of
// another. Beside law of that country it is not quoted, and the law of another never is.
func TestTextOfAnUnknownCountry(t *testing.T) {
	t.Parallel()
	db, lexicon := pgtest.New(t), french.NewLexicon()
	unknown := ofOneArticle("2020-04", "Loi n° 2020-04 portant Code du travail", "", "Le préavis de démission d’un cadre est de quatre mois, au Sénégal, au Niger et au Sénégal.")
	unknown.Countries = nil
	saved(t, db, unknown, ofOneArticle("2020-05", "Loi n° 2020-05 relative aux ports", "sn", "Tout navire paie des droits de port."),
		ofOneArticle("2020-06", "Loi n° 2020-06 portant Code du travail", "ga", "Le préavis de démission d’un cadre est de deux mois."))
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	s := &retrieve.Searcher{DB: db, Index: index, Names: db, Now: today, Lexicon: lexicon}
	for where, want := range map[string]struct {
		first    string
		unplaced bool
		grade    decide.Grade
		quotable []string
	}{
		" au Sénégal ?": {"2020-04 1er", true, decide.Unsure, []string{"2020-04"}}, " au Niger ?": {"2020-04 1er", true, decide.Unsure, []string{"2020-04"}}, " au Togo ?": {"2020-06 1er", false, decide.Refused, nil},
		" au Gabon ?": {"2020-06 1er", false, decide.Likely, []string{"2020-06"}}, " ?": {"2020-06 1er", false, decide.Likely, []string{"2020-04", "2020-06"}},
	} {
		r := search(t, s, retrieve.Question{Text: "Combien de temps dure le préavis d’un cadre qui démissionne" + where})
		var quotable []string
		for _, p := range prompt.Passages(&r) {
			if !p.Apart {
				quotable = append(quotable, p.Number)
			}
		}
		slices.Sort(quotable)
		if first(r) != want.first || r.Verdict.Unplaced != want.unplaced || want.grade < decide.Likely && r.Verdict.Grade != want.grade || !slices.Equal(quotable, want.quotable) {
			t.Errorf("%q: %s, %v, unplaced %v, quotable %v", where, first(r), r.Verdict.Grade, r.Verdict.Unplaced, quotable)
		}
	}
}

// A country that the asker chose excludes the law that is known to be of another one, also in lists of articles and by
// name. A country that the question names comes before it, and what the conversation named comes after.
func TestCountryThatTheAskerChose(t *testing.T) {
	t.Parallel()
	db, lexicon := pgtest.New(t), french.NewLexicon()
	const words = "Le préavis de démission d’un cadre est de quatre mois, et celui d’un ouvrier d’une semaine."
	saved(t, db, ofOneArticle("2020-01", "Loi n° 2020-01 portant Code du travail", "bj", words), ofOneArticle("2020-02", "Loi n° 2020-02 portant Code du travail", "ga", words),
		ofOneArticle("2020-03", "Acte n° 2020-03 portant droit du travail", "ohada", words), ofOneArticle("2020-04", "Loi n° 2020-04 portant Code du travail", "sn", words))
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	s := &retrieve.Searcher{DB: db, Index: index, Names: db, Now: today, Lexicon: lexicon}
	const question = "Quel est le préavis de démission d’un cadre"
	for _, c := range []struct {
		asked, chosen string
		history       []string
		want          []string
	}{
		{question + " ?", "", nil, []string{"2020-01", "2020-02", "2020-03", "2020-04"}},
		{question + " ?", "bj", nil, []string{"2020-01", "2020-03"}},
		{question + " ?", "ohada", nil, []string{"2020-03"}},
		{question + " ?", "mg", nil, nil},
		{question + " au Gabon ?", "bj", nil, []string{"2020-02", "2020-03"}},
		{"Et celui d’un ouvrier ?", "bj", []string{question + " au Gabon ?"}, []string{"2020-01", "2020-03"}},
		{"Que dit l’article 1er du code du travail ?", "sn", nil, []string{"2020-03", "2020-04"}},
	} {
		r := search(t, s, retrieve.Question{Text: c.asked, History: c.history, Filters: law.Filters{Country: c.chosen}})
		var got []string
		for _, h := range r.Hits {
			got = append(got, h.Document.OfficialNumber)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, of %q: %v, want %v", c.asked, c.chosen, got, c.want)
		}
	}
}
