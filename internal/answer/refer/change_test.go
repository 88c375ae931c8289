package refer

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/named"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

func change(r law.Relation) postgres.Change { return postgres.Change{Relation: r} }

func TestChangeSentences(t *testing.T) {
	t.Parallel()
	code, decree := shelf[3], shelf[2]
	for name, c := range map[string]struct{ got, want string }{
		"a whole text is repealed":        {changeTo("le code pénal", change(law.Relation{Kind: law.Repeals})), "abroge le code pénal"},
		"a whole text is amended":         {changeTo("la loi n° 5", change(law.Relation{Kind: law.Amends})), "modifie la loi n° 5"},
		"one article of a code":           {changeTo("le code pénal", change(law.Relation{Kind: law.Repeals, TargetArticles: []string{"3"}})), "abroge l’article 3 du code pénal"},
		"articles of a law":               {changeTo("la loi n° 5", change(law.Relation{Kind: law.Amends, TargetArticles: []string{"3", "5"}})), "modifie les articles 3 et 5 de la loi n° 5"},
		"an annex":                        {changeTo("l’arrêté n° 5", change(law.Relation{Kind: law.Amends, TargetArticles: []string{"Annexe I"}})), "modifie l’annexe I de l’arrêté n° 5"},
		"it, repealed":                    {changeIt(code, change(law.Relation{Kind: law.Repeals})), "l’abroge"},
		"it, a law, amended":              {changeIt(code, change(law.Relation{Kind: law.Amends})), "la modifie"},
		"it, a decree, amended":           {changeIt(decree, change(law.Relation{Kind: law.Amends})), "le modifie"},
		"articles of it":                  {changeIt(decree, change(law.Relation{Kind: law.Repeals, TargetArticles: []string{"3", "5", "7"}})), "en abroge les articles 3, 5 et 7"},
		"more articles than are listed":   {listArticles(strings.Split("1 2 3 4 5 6 7 8 9 10 11 12 13 14", " ")), "les articles 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 et 2 autres"},
		"a law that is only known by it":  {theName(nameChanged(change(law.Relation{TargetType: law.Loi, TargetNumber: "65-60"}))), "la loi n° 65-60"},
		"a code that is only known by it": {theName(nameChanged(change(law.Relation{TargetTitle: "Code pénal", TargetType: law.Code}))), "le Code pénal"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.got != c.want {
				t.Errorf("%q, want %q", c.got, c.want)
			}
		})
	}
}

func TestSentenceMakingAChange(t *testing.T) {
	t.Parallel()
	const words = "La présente loi entre en vigueur demain. Sont abrogés les articles 3 et 5 de la loi n° 65-60 du 21 juillet 1965. Le Code pénal est abrogé."
	long := "Sont abrogés, " + strings.Repeat("pour le moulin, ", 40) + "les articles de la loi n° 65-60."
	for name, c := range map[string]struct {
		words  string
		change postgres.Change
		want   string
	}{
		"by number":                      {words, change(law.Relation{TargetNumber: "65-60"}), "Sont abrogés les articles 3 et 5 de la loi n° 65-60 du 21 juillet 1965."},
		"by title":                       {words, change(law.Relation{TargetTitle: "Code pénal"}), "Le Code pénal est abrogé."},
		"however the title is written":   {words, change(law.Relation{TargetTitle: "CODE PENAL"}), "Le Code pénal est abrogé."},
		"another number":                 {words, change(law.Relation{TargetNumber: "65-61"}), ""},
		"a sentence too long to be read": {long, change(law.Relation{TargetNumber: "65-60"}), ""},
		"nothing":                        {"", change(law.Relation{TargetNumber: "65-60"}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := findSentence(c.words, c.change); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestTouches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  postgres.Change
		article string
		want    bool
	}{
		"its article":                     {change(law.Relation{Kind: law.Amends, TargetArticles: []string{"4", "5"}}), "5", true},
		"its first article, in figures":   {change(law.Relation{Kind: law.Amends, TargetArticles: []string{"premier"}}), "1er", true},
		"another article":                 {change(law.Relation{Kind: law.Amends, TargetArticles: []string{"4"}}), "5", false},
		"an article whose text is over":   {change(law.Relation{Kind: law.Repeals}), "5", true},
		"one whose text is amended whole": {change(law.Relation{Kind: law.Amends}), "5", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := touches(c.change, foundArticle{number: c.article}); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestChangesMadeByAnArticle(t *testing.T) {
	t.Parallel()
	own, other := uuid.UUID{1}, uuid.UUID{2}
	all := []postgres.Change{change(law.Relation{SourceArticle: other, TargetNumber: "65-60"}), change(law.Relation{SourceArticle: own, TargetNumber: "65-61"})}
	if got := madeBy(foundArticle{number: "3", ids: []uuid.UUID{own}}, all); len(got) != 1 || got[0].TargetNumber != "65-61" {
		t.Errorf("%+v", got)
	}
	if len(all) != 2 || all[0].SourceArticle != other || len(madeBy(foundArticle{number: "9"}, all)) != 0 {
		t.Errorf("of %+v", all)
	}
}

func TestRefersTo(t *testing.T) {
	t.Parallel()
	law2010, decree2010, code, signed := shelf[0], shelf[1], shelf[4], shelf[2]
	for name, c := range map[string]struct {
		words string
		of    named.Candidate
		want  bool
	}{
		"a law by its number":            {"Vu la loi n° 2010-05 du 3 mai 2010 ;", law2010, true},
		"the decree of that number":      {"Vu la loi n° 2010-05 ;", decree2010, false},
		"that number of another day":     {"Vu la loi n° 2010-05 du 4 mai 2010 ;", law2010, false},
		"a number without its signs":     {"le décret n° 2000-190 du 17 mai 2000", signed, true},
		"a code by its title":            {"conformément au Code du travail", code, true},
		"a code as the law that made it": {"la loi n° 28-2008", code, true},
		"another code":                   {"conformément au Code pénal", code, false},
		"a law by what it is about":      {"conformément au Code du travail", shelf[5], false},
		"no text":                        {"Les meuniers paient le sel.", law2010, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := refersTo(c.words, c.of); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if got := citingSentence("Le sel est libre. "+c.words, c.of) != ""; got != c.want {
				t.Errorf("its sentence is found: %v, want %v", got, c.want)
			}
		})
	}
}

func TestCitationNamesItsSource(t *testing.T) {
	t.Parallel()
	source := shelf[7]
	source.Document.ID = uuid.New()
	hit := retrieve.Hit{}
	hit.Document, hit.Article = source.Document, law.Article{ID: uuid.New(), Number: "4"}
	hit.Passages = []law.Passage{{Text: "Il suit la loi n° 2010-05 du 3 mai 2010."}}
	p := &page{Resolver: &Resolver{}}
	p.sayCitation(hit, shelf[0])
	const want = "L’article 4 de l’acte uniforme relatif au droit de la médiation la cite : « Il suit la loi n° 2010-05 du 3 mai 2010. » [1]."
	if got := strings.Join(p.pieces, ""); got != want || len(p.hits) != 1 || p.hits[0].Record[0] != shelf[0].Document.Title {
		t.Errorf("%q, sources %+v; want %q", got, p.hits, want)
	}
}
