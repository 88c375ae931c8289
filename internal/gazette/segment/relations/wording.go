package relations

import (
	"slices"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/sentence"
	"vigueur/internal/law"
)

// Wordings finds the new wordings in a text's articles. Only articles that amend have new wordings, and only if
// the amended text is known; other quotations stay words of the article that quotes them.
func Wordings(t gazette.Text) []gazette.Wording {
	var out []gazette.Wording
	for i := 0; i < len(t.Relations); {
		from, at := i, t.Relations[i].Article
		for i < len(t.Relations) && t.Relations[i].Article == at {
			i++
		}
		if t.Articles[at].Number == "" {
			continue
		}
		g := wordingFinder{text: t.Articles[at].Text}
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

// change is a relation of the current article, and its index in Text.Relations.
type change struct {
	law.Relation
	at int
}

// wordingFinder finds the wordings in an article that amends.
type wordingFinder struct {
	text    string
	changes []change
	out     []gazette.Wording
}

func (g *wordingFinder) wordings() []gazette.Wording {
	if len(g.changes) == 0 {
		return nil
	}
	heads := wordingHeads(g.text)
	lead, end := "", 0 // the article's own words before the head, and where the wording before it ends
	for i, h := range heads {
		if h.From < end {
			continue
		}
		if own := strings.TrimSpace(g.text[end:h.From]); own != "" {
			lead = own
		}
		limit := len(g.text)
		if i+1 < len(heads) {
			limit = heads[i+1].From
		}
		w, ok := g.wording(h, lead)
		if !ok {
			continue
		}
		w.From = h.From
		w.Start, w.End, w.To = extent(g.text, h.To, limit)
		end = w.To
		if w.End > w.Start {
			g.out = append(g.out, w)
		}
	}
	g.addWithoutHead()
	slices.SortFunc(g.out, func(a, b gazette.Wording) int { return a.From - b.From })
	return g.out
}

// wording returns the wording that head h introduces, with the change that it belongs to. lead holds the
// article's own words before the head.
func (g *wordingFinder) wording(h line.QuotedHead, lead string) (w gazette.Wording, ok bool) {
	if !sentence.Mentions(lead, changingStems) {
		return w, false
	}
	w = gazette.Wording{Number: h.Number, Part: h.Part}
	if c, ok := g.changeNaming(h); ok {
		w.Relation, w.Inserted = c.at, c.Inserts
		if h.Part != "" {
			w.Inserted = !rewriting.MatchString(lead)
		}
		return w, true
	}
	if !h.IsNew && !h.Opened && !g.continues(h) {
		return w, false
	}
	c, ok := g.soleTarget()
	w.Relation, w.Inserted = c.at, !rewriting.MatchString(lead)
	return w, ok
}

// changeNaming returns the change that names the article of a head. If several changes name it, a change of a part goes
// with a head of a part, and a change of the whole article with any other head.
func (g *wordingFinder) changeNaming(h line.QuotedHead) (found change, ok bool) {
	for _, c := range g.changes {
		if !slices.ContainsFunc(c.TargetArticles, func(n string) bool { return law.ArticleKey(n) == law.ArticleKey(h.Number) }) {
			continue
		}
		if partial := c.Adds && !c.Inserts; !ok || partial == (h.Part != "") {
			found, ok = c, true
		}
	}
	return found, ok
}

// continues reports whether a head continues the numbering of the previous wording.
func (g *wordingFinder) continues(h line.QuotedHead) bool {
	return len(g.out) > 0 && heads.MayFollow(h.Number, g.out[len(g.out)-1].Number)
}

// soleTarget returns the change that a wording belongs to if no change names its article (« les dispositions du titre
// II … sont remplacées par : »). It returns false if the changes are to several texts.
func (g *wordingFinder) soleTarget() (found change, ok bool) {
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

// addWithoutHead finds wordings that are quoted without their number: « Il est inséré un article 6 bis ainsi
// rédigé : « … » ». There must be as many such quotations as changes that name one article each, or it is
// unclear which belongs to which.
func (g *wordingFinder) addWithoutHead() {
	var changes []change
	for _, c := range g.changes {
		given := slices.ContainsFunc(g.out, func(w gazette.Wording) bool { return w.Relation == c.at })
		if !given && len(c.TargetArticles) == 1 && (c.Inserts || !c.Adds) {
			changes = append(changes, c)
		}
	}
	var found []gazette.Wording
	for _, at := range quotations(g.text) {
		inside := slices.ContainsFunc(g.out, func(w gazette.Wording) bool { return at.from < w.To && w.From < at.to })
		if inside {
			continue
		}
		w := gazette.Wording{From: at.from}
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
