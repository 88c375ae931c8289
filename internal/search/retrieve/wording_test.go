package retrieve_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/answer/prompt"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

const (
	leadIn   = "L’article 7 du Code du sel est remplacé par les dispositions suivantes :\n"
	newWords = "Le sel gris se vend vingt écus le kilogramme."
)

// saltCatalogue returns a searcher for a catalogue with a law that gives article 7 of a
// Code du sel a new wording from 1 July 2025; the catalogue also has the code itself if
// withCode.
func saltCatalogue(t *testing.T, withCode bool) *retrieve.Searcher {
	t.Helper()
	t.Parallel()
	db := pgtest.New(t)
	in, start := date("2020-01-01"), date("2025-07-01")
	newText := func(title, number string, kind law.DocType, day time.Time, articles ...law.Article) postgres.StoredText {
		x := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: kind, Domain: "autre", OfficialNumber: number,
			Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 1}}
		for i, a := range articles {
			a.ID, a.Position, a.Page = postgres.NewID(), i, 1
			x.Articles = append(x.Articles, a)
		}
		return x
	}
	pass := func(x *postgres.StoredText, article int, text string, quoted bool) {
		x.Passages = append(x.Passages, law.Passage{ID: postgres.NewID(), ArticleID: x.Articles[article].ID, Position: len(x.Passages), Page: 1, Text: text, Quoted: quoted})
	}
	code := newText("Loi n° 2020-1 portant Code du sel", "2020-1", law.Code, in,
		law.Article{Number: "7", Text: "Le sel gris se vend dix écus le kilogramme."}, law.Article{Number: "8", Text: "Les marchands de poivre ferment le lundi."})
	for i, a := range code.Articles {
		pass(&code, i, a.Text, false)
	}
	change := newText("Loi n° 2025-4 relative au commerce", "2025-4", law.Loi, date("2025-06-01"),
		law.Article{Number: "3", Text: leadIn + "« Art. 7. — " + newWords + " »"}, law.Article{Number: "7 (nouveau)", Text: newWords, ValidFrom: &start})
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Code,
		TargetTitle: "code du sel", TargetArticles: []string{"7"}, Effective: start}}
	change.Articles[1].Wording = &law.Wording{Within: change.Articles[0].ID, Relation: change.Relations[0].ID, Number: "7"}
	pass(&change, 0, leadIn, false)
	pass(&change, 0, "« Art. 7. — "+newWords+" »", true)
	pass(&change, 1, newWords, false)
	if withCode {
		saved(t, db, code)
	}
	saved(t, db, change)
	lexicon := french.NewLexicon()
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	return &retrieve.Searcher{DB: db, Index: index, Names: db, Now: func() time.Time { return date("2026-03-01") }, Lexicon: lexicon}
}

func searchOn(t *testing.T, s *retrieve.Searcher, question, day string) retrieve.Result {
	t.Helper()
	moment := date(day)
	r, err := s.Search(t.Context(), retrieve.Question{Text: question, Filters: law.Filters{Date: &moment}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestArticleHasItsWordingOfTheDay(t *testing.T) {
	s := saltCatalogue(t, true)
	for day, want := range map[string]string{"2025-06-30": "dix écus", "2025-07-01": "vingt écus"} {
		r := searchOn(t, s, "Que dit l’article 7 du code du sel ?", day)
		if !r.Verdict.Answers() || len(r.Hits) == 0 || r.Hits[0].Mode != retrieve.ByReference || !strings.Contains(r.Hits[0].Text(), want) {
			t.Errorf("on %s: %+v", day, r)
		}
		if p := prompt.Passages(&r)[0]; p.Article != "7" || (p.New != nil) != (day == "2025-07-01") || p.New != nil && (p.New.By != "3" || p.New.Of != "Loi n° 2020-1 portant Code du sel") {
			t.Errorf("on %s: prompt has %+v", day, p)
		}
	}
}

func TestNewWordingIsFoundOnce(t *testing.T) {
	s := saltCatalogue(t, true)
	r := searchOn(t, s, "À combien se vend le sel gris au kilogramme ?", "2026-01-01")
	n := 0
	for _, h := range r.Hits {
		n += strings.Count(h.Text(), newWords)
	}
	if n != 1 || r.Hits[0].Article.Wording == nil {
		t.Errorf("found %d times: %+v", n, r.Hits)
	}
	// If the question names the amending article, the hit has its whole text.
	r = searchOn(t, s, "Que dit l’article 3 de la loi n° 2025-4 ?", "2026-01-01")
	if len(r.Hits) == 0 || r.Hits[0].Text() != leadIn+"« Art. 7. — "+newWords+" »" {
		t.Fatalf("hits %+v", r.Hits)
	}
	if _, regions, there := r.Hits[0].Locate(newWords); !there || regions == nil {
		t.Error("the new wording in it is not located")
	}
	for _, h := range r.Hits[1:] {
		if h.Article.Wording != nil {
			t.Errorf("the new wording is a hit of its own too: %+v", h)
		}
	}
	// Article 7 belongs to the code, not to the amending law.
	if r = searchOn(t, s, "Que dit l’article 7 de la loi n° 2025-4 ?", "2026-01-01"); len(r.Hits) > 0 && r.Hits[0].Mode == retrieve.ByReference {
		t.Errorf("by reference: %+v", r.Hits[0])
	}
}

func TestWordingWithoutTheTextThatItAmends(t *testing.T) {
	s := saltCatalogue(t, false)
	r := searchOn(t, s, "Que dit l’article 7 du code du sel ?", "2026-01-01")
	if !r.Verdict.Answers() || len(r.Hits) == 0 || r.Hits[0].Article.Wording == nil || r.Hits[0].Article.Wording.TargetTitle != "Code du sel" {
		t.Errorf("%+v", r)
	}
}

// A wording is not law beside a later edition of the text that it changed, except on a day before that.
func TestWordingBeforeALaterEdition(t *testing.T) {
	t.Parallel()
	db, lexicon := pgtest.New(t), french.NewLexicon()
	const old, now = "Le Président est élu pour cinq ans et il est rééligible.", "Le Président est élu pour cinq ans et il est rééligible une seule fois."
	revision := ofOneArticle("08-19", "Loi n° 08-19 portant révision constitutionnelle", "dz", "L’article 74 de la Constitution est modifié et rédigé comme suit :")
	revision.Document.Promulgated, revision.Document.EntersInForce = date("2008-11-15"), date("2008-11-15")
	revision.Articles = append(revision.Articles, law.Article{ID: postgres.NewID(), Position: 1, Page: 1, Number: "74 (nouveau)", Text: old})
	revision.Passages = append(revision.Passages, law.Passage{ID: postgres.NewID(), ArticleID: revision.Articles[1].ID, Position: 1, Page: 1, Text: old})
	revision.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: revision.Articles[0].ID, Kind: law.Amends, TargetType: law.Constitution,
		TargetTitle: "constitution", TargetArticles: []string{"74"}, Effective: date("2008-11-15")}}
	revision.Articles[1].Wording = &law.Wording{Within: revision.Articles[0].ID, Relation: revision.Relations[0].ID, Number: "74"}
	edition := ofOneArticle("", "Constitution de la République", "dz", now)
	edition.Document.Type, edition.Document.Promulgated, edition.Document.EntersInForce = law.Constitution, date("2016-03-06"), date("2016-03-06")
	abroad := ofOneArticle("", "Constitution de la République voisine", "ml", "Le Président est élu pour sept ans.")
	abroad.Document.Type, abroad.Document.Promulgated = law.Constitution, date("2020-01-01")
	saved(t, db, revision, edition, abroad)
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	s := &retrieve.Searcher{DB: db, Index: index, Names: db, Now: func() time.Time { return date("2026-03-01") }, Lexicon: lexicon}
	for day, want := range map[string]bool{"2010-01-01": true, "2026-01-01": false} {
		found := false
		for _, h := range searchOn(t, s, "Pour combien de temps le Président est-il élu en Algérie et est-il rééligible ?", day).Hits {
			found = found || h.Text() == old
		}
		if found != want {
			t.Errorf("on %s the wording of 2008 is found: %v", day, found)
		}
	}
	r := search(t, s, retrieve.Question{Text: "La révision de 2008 a-t-elle rendu le Président rééligible en Algérie, et pour combien de temps est-il élu ?"})
	if !slices.ContainsFunc(r.Hits, func(h retrieve.Hit) bool { return h.Text() == old }) {
		t.Error("the wording of 2008 is not found for a question about that year")
	}
}
