package doubts

import (
	"slices"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/law"
)

// TestGapsAsSignals checks that gaps in a code are a sign on scans, where recognition loses heads, and not
// in a text layer, because a code is the result of many changes.
func TestGapsAsSignals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   law.DocType
		scan   bool
		absent []string
		sign   bool
	}{
		"a law":                    {law.Loi, false, []string{"3"}, true},
		"a scanned law":            {law.Loi, true, []string{"3"}, true},
		"a code":                   {law.Code, false, []string{"L. 1-3"}, false},
		"a scanned code":           {law.Code, true, []string{"L. 1-3"}, true},
		"a whole scanned code":     {law.Code, true, nil, false},
		"a law with every article": {law.Loi, true, nil, false},
	} {
		d := &texts.Draft{Lines: []line.Line{{Scanned: c.scan}}}
		d.Document.Type, d.Absent = c.kind, c.absent
		noteCount(d)
		if got := slices.ContainsFunc(d.Signals, func(w gazette.Signal) bool {
			return w.Kind == gazette.GapIn && slices.Equal(w.Doubt.Why.Numbers, c.absent)
		}); got != c.sign {
			t.Errorf("%s: a sign is %t", name, got)
		}
	}
}

// Articles that were taken for a preamble are told: those below them are another text's.
func TestArticlesAboveTheFirst(t *testing.T) {
	t.Parallel()
	for words, again := range map[string]bool{"Art. 1er. Le sel est gris.": true, "Vu l'article premier de la loi ;": false, "Art. 2. Le sel est gris.": false} {
		d := &texts.Draft{Pieces: []articles.Piece{
			{Role: articles.PreambleRole, Lines: []line.Line{{Text: words, Opens: true}}}, {Role: articles.ArticleRole, Number: "1er"}}}
		for _, p := range d.Pieces {
			d.Articles = append(d.Articles, p.Article())
		}
		noteCount(d)
		if got := len(d.Doubts) == 1 && d.Doubts[0].Why.Kind == remarks.NumbersAgain; got != again {
			t.Errorf("%s %v", words, d.Doubts)
		}
	}
}

// TestCountsLeadToTheirArticle gives the doubt about missing numbers the place of the article before the first gap, that about
// numbers printed twice the place of the first repetition.
func TestCountsLeadToTheirArticle(t *testing.T) {
	t.Parallel()
	at := func(number string, page int) law.Article { return law.Article{Number: number, Page: page} }
	for name, c := range map[string]struct {
		printed []law.Article
		absent  []string
		words   string
		page    int
	}{
		"missing":              {[]law.Article{at("1er", 2), at("2", 5), at("4", 6)}, []string{"3"}, "Article 2", 5},
		"missing at the front": {[]law.Article{at("4", 6)}, []string{"1–3"}, "", 2},
		"printed twice":        {[]law.Article{at("1er", 2), at("2", 5), at("2", 7)}, nil, "Article 2", 7},
	} {
		d := &texts.Draft{}
		d.Document.Type, d.Document.FirstPage, d.Absent = law.Loi, 2, c.absent
		d.Articles, d.Pieces = c.printed, make([]articles.Piece, len(c.printed))
		for i := range d.Pieces {
			d.Pieces[i].Role = articles.ArticleRole
		}
		noteCount(d)
		if len(d.Signals) != 1 || d.Signals[0].Doubt.Words != c.words || d.Signals[0].Doubt.Page != c.page {
			t.Errorf("%s: %+v", name, d.Signals)
		}
	}
}
