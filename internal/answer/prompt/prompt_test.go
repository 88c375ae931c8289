package prompt

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
)

// A model reads one edition of an article, and no law of another country than asked, nor beside law of that country a text of none, unless the
// question names it.
func TestPassagesApart(t *testing.T) {
	t.Parallel()
	hit := func(title, article string, year int, mode retrieve.Mode, countries ...country.Code) retrieve.Hit {
		h := retrieve.Hit{Countries: countries, Mode: mode}
		h.Document.ID, h.Document.Title, h.Article.Number = uuid.New(), title, article
		h.Document.Promulgated = time.Date(year, 5, 3, 0, 0, 0, 0, time.UTC)
		return h
	}
	asked := question.Read("Quel est le préavis au Bénin ?", question.Conversation{})
	hits := []retrieve.Hit{hit("Code du travail", "5", 2010, retrieve.ByWords, "bj"), hit("Code du travail", "5", 1998, retrieve.ByWords, "bj"),
		hit("Code du travail", "6", 1998, retrieve.ByWords, "bj"), hit("Code du travail", "5", 2012, retrieve.ByWords, "tg"),
		hit("Code pénal", "5", 2012, retrieve.ByReference, "tg"), hit("Acte uniforme", "1", 2012, retrieve.ByWords, "ohada"), hit("Avis", "1", 2012, retrieve.ByWords)}
	for i, p := range Passages(&retrieve.Result{Hits: hits, Asked: &asked}) {
		if want := i == 1 || i == 3 || i == 6; p.Apart != want {
			t.Errorf("%d: apart %v", i, p.Apart)
		}
	}
}

// TestEditionsAreToldApart checks that passages of two texts of one name carry the days of their texts.
func TestEditionsAreToldApart(t *testing.T) {
	t.Parallel()
	of := func(title string, year int, countries ...country.Code) retrieve.Hit {
		h := retrieve.Hit{Countries: countries}
		h.Document.ID, h.Document.Title, h.Document.Promulgated = uuid.New(), title, time.Date(year, 5, 3, 0, 0, 0, 0, time.UTC)
		return h
	}
	asOf := of("Code du travail", 2003, "ma")
	day := time.Date(2011, 10, 26, 0, 0, 0, 0, time.UTC)
	asOf.Document.AsOf = &day
	for name, c := range map[string]struct {
		hits []retrieve.Hit
		want string // of the first
	}{
		"two constitutions":       {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("CONSTITUTION", 2008, "cm")}, "3 mai 1996"},
		"of two countries":        {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("Constitution", 2008, "bj")}, ""},
		"two names":               {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("Code pénal", 2008, "cm")}, ""},
		"a consolidated edition":  {[]retrieve.Hit{asOf, of("Code du travail", 2003, "ma")}, "26 octobre 2011"},
		"one text alone":          {[]retrieve.Hit{of("Constitution", 1996, "cm")}, ""},
		"texts of one day, twice": {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("Constitution", 1996, "cm")}, ""},
	} {
		if got := Passages(&retrieve.Result{Hits: c.hits})[0].Edition; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
