package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func TestTitlesAreFoundDespiteSlips(t *testing.T) {
	b := setup(t)
	code, leave := text("Code du travail", "2010-01", day("2010-01-01"), "1"), text("Loi sur les congés payés", "2011-01", day("2011-01-01"), "1")
	again, customs := text("Décret sur les congés annuels", "2012-01", day("2012-01-01"), "1"), text("Code 100% des douanes", "2013-01", day("2013-01-01"), "1")
	customs.Document.Domain, again.Document.Type = "douanes", law.Decret
	review := text("Loi sur les conges en revue", "2014-01", day("2014-01-01"), "1")
	review.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.save(t, b.addGazette(t, "a1"), code, leave, again, customs, review)
	for name, c := range map[string]struct {
		q    postgres.DocumentQuery
		want []string
	}{
		"contained":                {postgres.DocumentQuery{Title: "CONGES"}, []string{again.Document.Title, leave.Document.Title}},
		"a wrong letter":           {postgres.DocumentQuery{Title: "conjés"}, []string{again.Document.Title, leave.Document.Title}},
		"two letters exchanged":    {postgres.DocumentQuery{Title: "travial"}, []string{code.Document.Title}},
		"words in another order":   {postgres.DocumentQuery{Title: "travail code"}, []string{code.Document.Title}},
		"narrowed":                 {postgres.DocumentQuery{Title: "conjés", Type: law.Loi}, []string{leave.Document.Title}},
		"contained elsewhere only": {postgres.DocumentQuery{Title: "congés", Domain: "douanes"}, nil},
		"resembles nothing":        {postgres.DocumentQuery{Title: "hydrocarbures"}, nil},
		"no letters":               {postgres.DocumentQuery{Title: "?!"}, nil},
		"too short to resemble":    {postgres.DocumentQuery{Title: "cade"}, nil},
		"a sign of LIKE":           {postgres.DocumentQuery{Title: "100%"}, []string{customs.Document.Title}},
		"its wide form":            {postgres.DocumentQuery{Title: "100％ des"}, []string{customs.Document.Title}},
		"an escape at the end":     {postgres.DocumentQuery{Title: "＼"}, nil},
		"another escape":           {postgres.DocumentQuery{Title: `\`}, nil},
	} {
		c.q.Page, c.q.PageSize = 1, 10
		list, total, err := b.Documents(t.Context(), c.q)
		ok(t, err)
		var got []string
		for _, d := range list {
			got = append(got, d.Title)
		}
		if !slices.Equal(got, c.want) || total != len(c.want) {
			t.Errorf("%s: %v of %d, want %v", name, got, total, c.want)
		}
	}
	list, total, err := b.Documents(t.Context(), postgres.DocumentQuery{Title: "conjés", Page: 2, PageSize: 1})
	ok(t, err)
	if len(list) != 1 || list[0].Title != leave.Document.Title || total != 2 {
		t.Errorf("second page %v of %d", list, total)
	}
	if list, total, err = b.Documents(t.Context(), postgres.DocumentQuery{Title: "conjés", Page: 3, PageSize: 1}); err != nil || len(list) != 0 || total != 2 {
		t.Errorf("beyond the last page %v of %d, %v", list, total, err)
	}
}

// TestTitlesThatOnlyBeginAlike finds a word despite a slip and not each word that begins with the same letters.
func TestTitlesThatOnlyBeginAlike(t *testing.T) {
	b := setup(t)
	var texts []postgres.StoredText
	for i, title := range []string{"Loi sur les contrats", "Décret portant organisation du Conseil", "Arrêté relatif aux concours", "Loi sur la constitution des sociétés"} {
		texts = append(texts, text(title, fmt.Sprintf("2014-%02d", i+1), day("2014-01-01"), "1"))
	}
	b.save(t, b.addGazette(t, "a1"), texts...)
	for typed, want := range map[string]int{"congé": 0, "congés payés": 0, "consiel": 1, "contrat": 1, "contrits": 1, "contarts": 1, "loi contarts": 1, "contarts consiel": 0, "constituton des societes": 1, "constitu": 1, "organizationn": 1} {
		list, total, err := b.Documents(t.Context(), postgres.DocumentQuery{Title: typed, Page: 1, PageSize: 10})
		ok(t, err)
		if len(list) != want || total != want {
			t.Errorf("%s finds %d texts, want %d", typed, total, want)
		}
	}
}

// TestTextsAreFoundByTheirNumber checks that the part of a number that people remember
// finds the text, whether or not its title contains the number.
func TestTextsAreFoundByTheirNumber(t *testing.T) {
	b := setup(t)
	decree := text("Décret relatif aux licornes", "2000-192/PRES/PM/MCIA/MEF", day("2000-05-17"), "1")
	decree.Document.Type = law.Decret
	titled := text("Loi n° 2000-192/AN relative au sel", "2000-192/AN", day("2001-05-17"), "1")
	longer := text("Loi relative au poivre", "2000-1921", day("2002-05-17"), "1")
	waiting := text("Loi relative au sucre", "2000-192", day("2003-05-17"), "1")
	waiting.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
	b.save(t, b.addGazette(t, "a1"), decree, titled, longer, waiting)
	find := func(q postgres.DocumentQuery) []string {
		t.Helper()
		q.Page, q.PageSize = 1, 10
		list, total, err := b.Documents(t.Context(), q)
		ok(t, err)
		got := []string{}
		for _, d := range list {
			got = append(got, d.OfficialNumber)
		}
		if total != len(got) {
			t.Errorf("%+v: %d of %d", q, len(got), total)
		}
		return got
	}
	both := []string{titled.Document.OfficialNumber, decree.Document.OfficialNumber}
	for asked, want := range map[string][]string{
		"2000-192":                  both,
		"n° 2000-0192":              both,
		"2000/192":                  both,
		"décret 2000-192":           {decree.Document.OfficialNumber},
		"loi n° 2000-192":           {titled.Document.OfficialNumber},
		"2000-192/PRES/PM/MCIA/MEF": {decree.Document.OfficialNumber},
		"2000-192/MF":               {},
		"2000-1921":                 {longer.Document.OfficialNumber},
	} {
		if got := find(postgres.DocumentQuery{Title: asked}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", asked, got, want)
		}
	}
	if got := find(postgres.DocumentQuery{Title: "2000-192", Type: law.Decret}); !slices.Equal(got, both[1:]) {
		t.Errorf("narrowed: %v", got)
	}
	number := "2000-500"
	_, err := b.ChangeDocument(t.Context(), decree.Document.ID, postgres.DocumentChange{OfficialNumber: &number}, postgres.StatusChange{})
	ok(t, err)
	if got := find(postgres.DocumentQuery{Title: "2000-192"}); !slices.Equal(got, both[:1]) {
		t.Errorf("after another number was given: %v", got)
	}
}

func TestRelationsOfAText(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code, lawText := text("Code du travail", "2010-01", day("2010-01-01"), "1", "2"), text("Loi sur les primes", "2011-01", day("2011-01-01"), "1")
	newer := text("Loi de réforme", "2020-01", day("2020-01-01"), "1", "2")
	draft := text("Loi en revue", "2021-01", day("2021-01-01"), "1")
	draft.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	change := func(in postgres.StoredText, kind law.RelationKind, number, source string, articles ...string) law.Relation {
		return law.Relation{ID: postgres.NewID(), SourceArticle: in.Articles[0].ID, Kind: kind, TargetNumber: number, TargetArticles: articles, Effective: day(source)}
	}
	newer.Relations = []law.Relation{
		change(newer, law.Amends, "2010-01", "2020-03-01", "1"),
		change(newer, law.Amends, "2010-01", "2020-02-01", "2"), // the same text twice: listed once, with the earliest day
		change(newer, law.Repeals, "2011-01", "2020-01-01"),
	}
	repeal := text("Loi d’abrogation", "2022-01", day("2022-01-01"), "1")
	repeal.Relations = []law.Relation{change(repeal, law.Repeals, "2010-01", "2022-01-01", "1")} // only an article is repealed
	draft.Relations = []law.Relation{change(draft, law.Repeals, "2010-01", "2021-01-01")}
	b.save(t, b.addGazette(t, "a1"), code, lawText, newer, draft, repeal)

	type end struct {
		id   uuid.UUID
		date string
	}
	ends := func(list []postgres.RelatedText) (out []end) {
		for _, r := range list {
			out = append(out, end{r.ID, r.Date.Format("2006-01-02")})
			if r.Title == "" {
				t.Errorf("%v has no title", r.ID)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		of   postgres.StoredText
		want [4][]end
	}{
		"both":    {newer, [4][]end{{{lawText.Document.ID, "2020-01-01"}}, nil, {{code.Document.ID, "2020-02-01"}}, nil}},
		"amended": {code, [4][]end{nil, nil, nil, {{newer.Document.ID, "2020-02-01"}, {repeal.Document.ID, "2022-01-01"}}}},
		"ended":   {lawText, [4][]end{nil, {{newer.Document.ID, "2020-01-01"}}, nil, nil}},
	} {
		r, err := b.Relations(ctx, c.of.Document.ID)
		ok(t, err)
		for i, got := range [][]end{ends(r.Repeals), ends(r.RepealedBy), ends(r.Amends), ends(r.AmendedBy)} {
			if !slices.Equal(got, c.want[i]) {
				t.Errorf("%s, list %d: %v, want %v", name, i, got, c.want[i])
			}
		}
	}
	for _, id := range []uuid.UUID{uuid.New(), draft.Document.ID} {
		_, err := b.Relations(ctx, id)
		wantKind(t, err, errs.NotFound)
	}
}

// slip makes a typing error in a word at a place, or returns "".
type slip struct {
	name string
	make func(word []rune, pos int) string
}

func slipsOfTyping() []slip {
	return []slip{
		{"exchanged", func(w []rune, i int) string {
			if i+1 == len(w) || w[i] == w[i+1] {
				return ""
			}
			return string(w[:i]) + string(w[i+1]) + string(w[i]) + string(w[i+2:])
		}},
		{"missing", func(w []rune, i int) string { return string(w[:i]) + string(w[i+1:]) }},
		{"doubled", func(w []rune, i int) string { return string(w[:i+1]) + string(w[i:]) }},
		{"wrong", func(w []rune, i int) string { return string(w[:i]) + string('a'+(w[i]-'a'+7)%26) + string(w[i+1:]) }},
	}
}

// TestSlipsOfTyping makes each slip at each place of each long word of titles, and counts how many still find a text.
func TestSlipsOfTyping(t *testing.T) {
	b := setup(t)
	titles := []string{"Loi sur les contrats de louage", "Code du travail et de la protection sociale", "Décret portant organisation du ministère de la justice",
		"Arrêté fixant le salaire minimum national", "Ordonnance relative aux hydrocarbures", "Loi portant régime des douanes"}
	var texts []postgres.StoredText
	for i, title := range titles {
		texts = append(texts, text(title, fmt.Sprintf("2014-%02d", i+1), day("2014-01-01"), "1"))
	}
	b.save(t, b.addGazette(t, "a1"), texts...)
	found, made := map[string]int{}, map[string]int{}
	for _, word := range strings.Fields(law.Fold(strings.Join(titles, " "))) {
		letters := []rune(word)
		for _, s := range slipsOfTyping() {
			for i := range letters {
				typed := s.make(letters, i)
				if utf8.RuneCountInString(typed) < 5 || len(letters) < 5 {
					continue
				}
				made[s.name]++
				_, total, err := b.Documents(t.Context(), postgres.DocumentQuery{Title: typed, Page: 1, PageSize: 10})
				ok(t, err)
				if total > 0 {
					found[s.name]++
				}
			}
		}
	}
	for name, n := range made {
		t.Logf("%s: %d of %d are found", name, found[name], n)
	}
	// Exchanged letters are looked up as such, doubled ones spare the trigrams; of the others these find what they can.
	for _, name := range []string{"exchanged", "doubled"} {
		if found[name] != made[name] {
			t.Errorf("%s: %d of %d are found", name, found[name], made[name])
		}
	}
}
