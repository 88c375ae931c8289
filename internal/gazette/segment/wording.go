package segment

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// Wording is what an article of the text puts in the place of an article of
// another text, or beside its articles: « Article 5 (nouveau) ». It is a part of
// the enclosing article, whose text keeps it, and no article of this text.
type Wording struct {
	Article  int    // index in Text.Articles of the article that encloses it
	Relation int    // index in Text.Relations of the change that it belongs to
	Number   string // of the article that it words, as law.ArticleNumber writes it
	Part     string // of that article, « premier alinéa », where no more is worded anew
	Inserted bool   // it stands beside what was there, in the place of nothing
	// Bytes of the enclosing article's text: its own words, and these with the head
	// and the marks around them.
	Start, End int
	From, To   int
}

// Wording makes an article of a new wording; its place is the caller's to set.
func (t Text) Wording(w Wording) law.Article {
	a := t.Articles[w.Article]
	out := law.Article{Number: law.NewNumber(w.Number, w.Part), Path: slices.Clone(a.Path), Page: a.Page,
		Text: a.Text[w.Start:w.End], Spans: spansWithin(a.Spans, w.Start, w.End)}
	if len(out.Spans) > 0 {
		out.Page = out.Spans[0].Page
	}
	return out
}

// wordingsOfText finds the new wordings that a text's articles give. Only an article
// that amends gives any, and only a wording whose text is known is one: what else
// is quoted stays words of the article that quotes it.
func wordingsOfText(t Text) []Wording {
	var out []Wording
	for i := 0; i < len(t.Relations); {
		from, at := i, t.Relations[i].Article
		for i < len(t.Relations) && t.Relations[i].Article == at {
			i++
		}
		if t.Articles[at].Number == "" {
			continue
		}
		g := giver{text: t.Articles[at].Text}
		for n := from; n < i; n++ {
			if t.Relations[n].Kind == law.Amends {
				g.changes = append(g.changes, change{t.Relations[n].Relation, n})
			}
		}
		for _, w := range g.wordings() {
			w.Article = at
			out = append(out, w)
		}
	}
	return out
}

// change is a relation of the article at hand, and its index in the text's.
type change struct {
	law.Relation
	at int
}

// giver reads one article that amends.
type giver struct {
	text    string
	changes []change
	out     []Wording
}

func (g *giver) wordings() []Wording {
	if len(g.changes) == 0 {
		return nil
	}
	heads := wordingHeads(g.text)
	lead, end := "", 0 // the article's own words last read, and where they began
	for i, h := range heads {
		if h.from < end {
			continue
		}
		if own := strings.TrimSpace(g.text[end:h.from]); own != "" {
			lead = own
		}
		limit := len(g.text)
		if i+1 < len(heads) {
			limit = heads[i+1].from
		}
		w, ok := g.wording(h, lead)
		if !ok {
			continue
		}
		w.From = h.from
		w.Start, w.End, w.To = extent(g.text, h.to, limit)
		end = w.To
		if w.End > w.Start {
			g.out = append(g.out, w)
		}
	}
	g.headless()
	slices.SortFunc(g.out, func(a, b Wording) int { return a.From - b.From })
	return g.out
}

// wording finds the change that a head belongs to; lead is what the article said
// last with words of its own.
func (g *giver) wording(h wordingHead, lead string) (w Wording, ok bool) {
	if !mentions(lead, changingStems) {
		return w, false
	}
	w = Wording{Number: h.number, Part: h.part}
	if c, ok := g.naming(h); ok {
		w.Relation, w.Inserted = c.at, c.Inserts
		if h.part != "" {
			w.Inserted = !rewriting.MatchString(lead)
		}
		return w, true
	}
	if !h.fresh && !h.opened && !g.continues(h) {
		return w, false
	}
	c, ok := g.only()
	w.Relation, w.Inserted = c.at, !rewriting.MatchString(lead)
	return w, ok
}

// naming is the change that names the article, one of a part for a part.
func (g *giver) naming(h wordingHead) (found change, ok bool) {
	for _, c := range g.changes {
		if !slices.ContainsFunc(c.TargetArticles, func(n string) bool { return law.ArticleKey(n) == law.ArticleKey(h.number) }) {
			continue
		}
		if partial := c.Adds && !c.Inserts; !ok || partial == (h.part != "") {
			found, ok = c, true
		}
	}
	return found, ok
}

// continues reports whether a head goes on with the count of the wording before.
func (g *giver) continues(h wordingHead) bool {
	return len(g.out) > 0 && follows(h.number, g.out[len(g.out)-1].Number)
}

// only is the change that a wording belongs to which none names (« les
// dispositions du titre II … sont remplacées par : »): all changes must be to one
// text.
func (g *giver) only() (found change, ok bool) {
	for i, c := range g.changes {
		if i > 0 && (c.TargetNumber != found.TargetNumber || c.TargetTitle != found.TargetTitle) {
			return change{}, false
		}
		if i == 0 || len(c.TargetArticles) == 0 && len(found.TargetArticles) > 0 {
			found = c
		}
	}
	return found, true
}

// headless finds the wordings that are quoted without their number: « Il est
// inséré un article 6 bis ainsi rédigé : « … » ». The changes that name one article
// each and the quotations left must be as many: else none is sure.
func (g *giver) headless() {
	var changes []change
	for _, c := range g.changes {
		given := slices.ContainsFunc(g.out, func(w Wording) bool { return w.Relation == c.at })
		if !given && len(c.TargetArticles) == 1 && (c.Inserts || !c.Adds) {
			changes = append(changes, c)
		}
	}
	var found []Wording
	for _, at := range quotations(g.text) {
		inside := slices.ContainsFunc(g.out, func(w Wording) bool { return at.from < w.To && w.From < at.to })
		if inside {
			continue
		}
		w := Wording{From: at.from}
		w.Start, w.End, w.To = extent(g.text, at.to, len(g.text))
		if w.End > w.Start {
			found = append(found, w)
		}
	}
	if len(found) != len(changes) {
		return
	}
	for i, w := range found {
		w.Relation, w.Number, w.Inserted = changes[i].at, law.ArticleNumber(changes[i].TargetArticles[0]), changes[i].Inserts
		g.out = append(g.out, w)
	}
}
