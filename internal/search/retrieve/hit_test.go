package retrieve_test

import (
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/search/retrieve"
)

// article returns a hit for an article of four passages. The first two and the last were
// found; each is one line on its own page.
func article() retrieve.Hit {
	passage := func(position, page int, text string) law.Passage {
		return law.Passage{Position: position, Page: page, Text: text,
			Spans: []law.Span{{Start: 0, End: len(text), Page: page, Rect: law.Rect{float64(page), 0, 1, 1}}}}
	}
	h := retrieve.Hit{Passage: passage(1, 2, "dure trois mois.\n")}
	h.Passages = []law.Passage{passage(0, 1, "Le préavis "), h.Passage, passage(3, 4, "Il est payé.")}
	return h
}

func TestTextOfAnArticle(t *testing.T) {
	t.Parallel()
	if got := article().Text(); got != "Le préavis dure trois mois.\n\n[…]\nIl est payé." {
		t.Errorf("got %q", got)
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quote   string
		page    int
		regions int
		ok      bool
	}{
		{"Le préavis dure trois mois.", 1, 2, true},
		{"préavis  dure\ntrois", 1, 2, true},
		{"trois mois.", 2, 1, true},
		{"Il est payé.", 4, 1, true},
		{"quatre mois", 2, 0, false},
		{"", 2, 0, false},
		{"mois. Il est", 2, 0, false},
		{"Le préavis dure […] Il est payé.", 1, 3, true},
		{"trois mois. […]", 2, 1, true},
		{"Il est payé. […] trois mois.", 2, 0, false},
		{"Le préavis […] quatre mois", 2, 0, false},
	} {
		page, regions, ok := article().Locate(c.quote)
		if page != c.page || len(regions) != c.regions || ok != c.ok {
			t.Errorf("%q: page %d, %d regions, %v; want %d, %d, %v", c.quote, page, len(regions), ok, c.page, c.regions, c.ok)
		}
	}
}
