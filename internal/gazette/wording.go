package gazette

import (
	"slices"

	"vigueur/internal/law"
)

// Wording is the new text that an article gives to an article of another text, or an article that it adds there:
// « Article 5 (nouveau) ». Its words stay in the text of the enclosing article, and it is no article of the text that is
// being read.
type Wording struct {
	Article  int    // index in Text.Articles of the enclosing article
	Relation int    // index in Text.Relations of the change that it belongs to
	Number   string // number of the article that it words, as law.ArticleNumber writes it
	Part     string // the part of this article, « premier alinéa », if only a part gets a new wording
	Inserted bool   // the wording is added, and replaces no other
	// Byte ranges of the enclosing article's text: [Start,End) holds the wording's own words, [From,To) also
	// the head and the marks around them.
	Start, End int
	From, To   int
}

// Wording returns a new wording as an article; the caller sets its position.
func (t Text) Wording(w Wording) law.Article {
	a := t.Articles[w.Article]
	out := law.Article{Number: law.NewNumber(w.Number, w.Part), Path: slices.Clone(a.Path), Page: a.Page,
		Text: a.Text[w.Start:w.End], Spans: law.SpansWithin(a.Spans, w.Start, w.End)}
	if len(out.Spans) > 0 {
		out.Page = out.Spans[0].Page
	}
	return out
}

// Headings of articles without a number.
const (
	PreambleHeading   = "Préambule"
	SignaturesHeading = "Signatures"
)
