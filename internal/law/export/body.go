package export

import (
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
)

// body groups articles under their headings.
type body struct {
	root node
	open []*node  // open divisions, outermost first
	path []string // headings of the open divisions

	notes func(law.Article) []string
	ids   map[string]int
	named map[uuid.UUID]string // eIds of the articles
	// periods are the temporal groups of articles that acts have changed, by article.
	periods map[uuid.UUID]string
}

// parts lists the first words of headings with Akoma Ntoso's element for the division. A
// word comes before shorter words that are its prefixes.
var parts = [][2]string{{"sous-section", "subsection"}, {"sous section", "subsection"}, {"sous-chapitre", "subchapter"}, {"sous-titre", "subtitle"},
	{"partie", "part"}, {"livre", "book"}, {"titre", "title"}, {"chapitre", "chapter"}, {"section", "section"}, {"paragraphe", "hcontainer"}}

// id returns an eId that is unique in the text.
func (b *body) id(base string) string { return address.Unique(b.ids, base) }

// article adds an article to the division of its headings, and opens and closes divisions
// as needed.
func (b *body) article(a law.Article) {
	keep := countShared(b.path, a.Path)
	b.open = b.open[:keep]
	for _, heading := range a.Path[keep:] {
		n := b.division(heading)
		b.holder().add(n)
		b.open = append(b.open, n)
	}
	b.path = a.Path
	b.holder().add(b.leaf(a))
}

func (b *body) holder() *node {
	if len(b.open) == 0 {
		return &b.root
	}
	return b.open[len(b.open)-1]
}

// division returns the element for a heading. « CHAPITRE II – Du préavis » has a number and
// a heading; text without a known first word is only a heading.
func (b *body) division(heading string) *node {
	heading = OneLine(heading)
	folded := law.Fold(heading)
	for _, p := range parts {
		if folded != p[0] && !strings.HasPrefix(folded, p[0]+" ") {
			continue
		}
		number, title := cutHeading(heading)
		n := el(p[1], el("num", words(number))).with("eId", b.id(p[1]+"_"+address.Slug(number)))
		if p[1] == "hcontainer" {
			n.with("name", "paragraphe")
		}
		if title != "" {
			n.add(el("heading", words(title)))
		}
		return n
	}
	return el("hcontainer", el("heading", words(heading))).with("name", "division", "eId", b.id("division_"+address.Slug(heading)))
}

// cutHeading splits « TITRE II : DES CONTRATS » into the number and the title.
func cutHeading(heading string) (number, title string) {
	for i, r := range heading {
		if strings.ContainsRune(":–—", r) || r == '-' && i > 0 && heading[i-1] == ' ' {
			return strings.TrimSpace(heading[:i]), strings.TrimSpace(strings.TrimLeft(heading[i:], ":–—- "))
		}
	}
	return heading, ""
}

// leaf returns the element for an article, or for an unnumbered part between articles.
func (b *body) leaf(a law.Article) *node {
	name, kind, base := "article", "", "art_"+address.Slug(a.Number)
	switch {
	case strings.HasPrefix(a.Number, "Annexe"):
		name, kind, base = "hcontainer", "annexe", address.Slug(a.Number)
	case a.Number == "":
		name, kind, base = "hcontainer", "texte", "texte_"+address.Slug(a.Heading)
	}
	b.named[a.ID] = b.id(base)
	n := el(name).with("eId", b.named[a.ID])
	if kind != "" {
		n.with("name", kind)
	}
	if period := b.periods[a.ID]; period != "" {
		n.with("period", "#"+period)
	}
	if a.Number != "" {
		num := el("num", words(number(a)))
		for i, note := range b.notes(a) { // not part of the article's text, so it becomes a note at the number
			num.add(el("authorialNote", el("p", words(note))).with("marker", strings.Repeat("*", i+1), "placement", "bottom",
				"eId", b.id(b.named[a.ID]+"__authorialnote")))
		}
		n.add(num)
	}
	if a.Heading != "" {
		n.add(el("heading", words(OneLine(a.Heading))))
	}
	content := el("content", paragraphs(a.Text)...)
	if len(content.children) == 0 {
		content.add(el("p"))
	}
	n.add(content)
	return n
}

func number(a law.Article) string {
	if strings.HasPrefix(a.Number, "Annexe") {
		return OneLine(a.Number)
	}
	return "Article " + OneLine(a.Number)
}
