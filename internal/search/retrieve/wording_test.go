package retrieve_test

import (
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
	lead = "L’article 7 du Code du sel est remplacé par les dispositions suivantes :\n"
	anew = "Le sel gris se vend vingt écus le kilogramme."
)

// salted is a catalogue with a law that words article 7 of the code of salt anew from
// 1 July 2025 on, and with the code where coded says so.
func salted(t *testing.T, coded bool) *retrieve.Searcher {
	t.Helper()
	t.Parallel()
	db := pgtest.New(t)
	in, from := date("2020-01-01"), date("2025-07-01")
	newText := func(title, number string, kind law.DocType, day time.Time, articles ...law.Article) postgres.Text {
		x := postgres.Text{Document: law.Document{ID: postgres.NewID(), Title: title, Type: kind, Domain: "autre", OfficialNumber: number,
			Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 1}}
		for i, a := range articles {
			a.ID, a.Position, a.Page = postgres.NewID(), i, 1
			x.Articles = append(x.Articles, a)
		}
		return x
	}
	pass := func(x *postgres.Text, article int, text string, quoted bool) {
		x.Passages = append(x.Passages, law.Passage{ID: postgres.NewID(), ArticleID: x.Articles[article].ID, Position: len(x.Passages), Page: 1, Text: text, Quoted: quoted})
	}
	code := newText("Loi n° 2020-1 portant Code du sel", "2020-1", law.Code, in,
		law.Article{Number: "7", Text: "Le sel gris se vend dix écus le kilogramme."}, law.Article{Number: "8", Text: "Les marchands de poivre ferment le lundi."})
	for i, a := range code.Articles {
		pass(&code, i, a.Text, false)
	}
	change := newText("Loi n° 2025-4 relative au commerce", "2025-4", law.Loi, date("2025-06-01"),
		law.Article{Number: "3", Text: lead + "« Art. 7. — " + anew + " »"}, law.Article{Number: "7 (nouveau)", Text: anew, ValidFrom: &from})
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Code,
		TargetTitle: "code du sel", TargetArticles: []string{"7"}, Effective: from}}
	change.Articles[1].Wording = &law.Wording{Within: change.Articles[0].ID, Relation: change.Relations[0].ID, Number: "7"}
	pass(&change, 0, lead, false)
	pass(&change, 0, "« Art. 7. — "+anew+" »", true)
	pass(&change, 1, anew, false)
	if coded {
		saved(t, db, code)
	}
	saved(t, db, change)
	lexicon := french.NewLexicon()
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	return &retrieve.Searcher{DB: db, Index: index, Now: func() time.Time { return date("2026-03-01") }, Lexicon: lexicon}
}

func searchOn(t *testing.T, s *retrieve.Searcher, question, day string) retrieve.Result {
	t.Helper()
	on := date(day)
	r, err := s.Search(t.Context(), retrieve.Question{Text: question, Filters: law.Filters{Date: &on}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnArticleIsFoundInItsWordsOfTheDay(t *testing.T) {
	s := salted(t, true)
	for day, want := range map[string]string{"2025-06-30": "dix écus", "2025-07-01": "vingt écus"} {
		r := searchOn(t, s, "Que dit l’article 7 du code du sel ?", day)
		if !r.Verdict.Answers() || len(r.Hits) == 0 || r.Hits[0].Mode != retrieve.ByReference || !strings.Contains(r.Hits[0].Text(), want) {
			t.Errorf("on %s: %+v", day, r)
		}
		if p := prompt.Passages(&r)[0]; p.Article != "7" || (p.New != nil) != (day == "2025-07-01") || p.New != nil && (p.New.By != "3" || p.New.Of != "Loi n° 2020-1 portant Code du sel") {
			t.Errorf("on %s: prompted %+v", day, p)
		}
	}
}

func TestNewWordsAreFoundOnce(t *testing.T) {
	s := salted(t, true)
	r := searchOn(t, s, "À combien se vend le sel gris au kilogramme ?", "2026-01-01")
	n := 0
	for _, h := range r.Hits {
		n += strings.Count(h.Text(), anew)
	}
	if n != 1 || r.Hits[0].Article.Wording == nil {
		t.Errorf("found %d times: %+v", n, r.Hits)
	}
	// The article that gives them is whole where the question names it.
	r = searchOn(t, s, "Que dit l’article 3 de la loi n° 2025-4 ?", "2026-01-01")
	if len(r.Hits) == 0 || r.Hits[0].Text() != lead+"« Art. 7. — "+anew+" »" {
		t.Fatalf("hits %+v", r.Hits)
	}
	if _, regions, there := r.Hits[0].Locate(anew); !there || regions == nil {
		t.Error("its quotation is not located")
	}
	for _, h := range r.Hits[1:] {
		if h.Article.Wording != nil {
			t.Errorf("the words are found again: %+v", h)
		}
	}
	// Article 7 is the code's, not the amending law's.
	if r = searchOn(t, s, "Que dit l’article 7 de la loi n° 2025-4 ?", "2026-01-01"); len(r.Hits) > 0 && r.Hits[0].Mode == retrieve.ByReference {
		t.Errorf("by reference: %+v", r.Hits[0])
	}
}

func TestAWordingIsFoundWithoutTheTextThatItAmends(t *testing.T) {
	s := salted(t, false)
	r := searchOn(t, s, "Que dit l’article 7 du code du sel ?", "2026-01-01")
	if !r.Verdict.Answers() || len(r.Hits) == 0 || r.Hits[0].Article.Wording == nil || r.Hits[0].Article.Wording.TargetTitle != "Code du sel" {
		t.Errorf("%+v", r)
	}
}
