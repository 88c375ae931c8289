package house

import (
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// articles are the body of a text: headings, articles, paragraphs.
func (p *pen) articles(a *act, n int) {
	deep := 0 // the levels of headings
	switch {
	case n >= 25:
		deep = p.between(1, 3)
	case n >= 9 && p.chance(70):
		deep = 1
	}
	c := p.countOf(a, n)
	next := make([]int, deep)
	until := make([]int, deep)
	for i := 1; i <= n; i++ {
		if i == c.again {
			p.text(a, p.middle(Division, c.heading, p.style.bold))
		}
		for l := range deep {
			if i >= until[l] {
				next[l]++
				until[l] = i + p.between(3, 12)/(l+1) + 1
				for k := l + 1; k < deep; k++ {
					next[k], until[k] = 0, 0
				}
				p.division(a, l+3-deep, next[l])
			}
		}
		number := p.articleNumber(i, n, c)
		switch {
		case i == 1 && a.person != "":
			p.oneArticle(a, number, i, []string{a.person})
		case i == n && n > 1 && a.kind != "code" && p.chance(75):
			p.oneArticle(a, number, i, []string{p.last(a)})
		case p.chance(p.style.amending) && n < 25:
			p.amendment(a, number, i)
		default:
			p.oneArticle(a, number, i, p.body(i))
		}
		if i > 1 && i < n {
			p.inserted(a, number, n)
		}
		p.betweenArticles(a)
	}
}

// inserted adds articles of the text's own between two others: « Art. 5 bis », as a
// text has them that was changed and is printed whole again.
func (p *pen) inserted(a *act, number string, n int) {
	if n < 6 || !p.chance(2) {
		return
	}
	for _, suffix := range p.insertions()[:p.between(1, 3)] {
		p.oneArticle(a, number+suffix, 2, p.body(2))
	}
}

// last is the sentence that ends a text.
func (p *pen) last(a *act) string {
	s := p.sentence("finMasc")
	if a.fem {
		s = p.sentence("finFem")
	}
	return strings.ReplaceAll(s, "%N%", strings.ToLower(a.name))
}

// articleNumber is the number of the i-th article of n.
func (p *pen) articleNumber(i, n int, c count) string {
	f := p.style.article
	switch {
	case n == 1:
		return f.only
	case c.letter != "" || c.parts > 0:
		return p.counted(i, c)
	case i == 1:
		return f.first
	}
	return strconv.Itoa(i)
}

// body is the sentences of an article, by paragraph.
func (p *pen) body(i int) []string {
	var out []string
	if i == 1 && p.chance(60) {
		out = append(out, p.sentence("objetPremier"))
	}
	paragraphs := 1 + p.rng.IntN(3)*p.rng.IntN(2)
	for range paragraphs {
		s := p.sentence("phrase")
		for p.chance(30) {
			s += " " + p.sentence("phrase")
		}
		out = append(out, s)
	}
	if p.chance(18) {
		out = append(out, p.list()...)
	}
	return out
}

// list is a sentence and its items.
func (p *pen) list() []string {
	if p.chance(15) {
		return p.named(p.pick("Sont abrogés :", "Sont et demeurent abrogés les textes suivants :", "Le présent texte ne déroge pas aux textes suivants :", "Il est fait application :"))
	}
	out := []string{p.sentence("intro")}
	mark := p.rng.IntN(6)
	for i := range p.between(2, 7) {
		m := [...]string{"- ", "— ", string(rune('a'+i)) + ") ", strconv.Itoa(i+1) + "° ", strconv.Itoa(i+1) + ". ", "• "}[mark]
		out = append(out, "\t"+m+p.say("item"))
	}
	n := len(out) - 1
	out[n] = strings.TrimSuffix(out[n], " ;") + "."
	return out
}

// named is a sentence and the texts that it names, one a line: what looks like
// titles and is none.
func (p *pen) named(intro string) []string {
	out := []string{intro}
	mark := p.pick("- ", "- ", "— ", "")
	for range p.between(2, 6) {
		name := p.cited(cite(p, "loi", "décret", "arrêté", "ordonnance", "décret-loi", p.style.natures[p.rng.IntN(len(p.style.natures))]))
		if mark == "" || p.chance(30) { // without its article
			for _, a := range []string{"la ", "le ", "l'"} {
				name = strings.TrimPrefix(name, a)
			}
			name = capital(name)
		}
		out = append(out, "\t"+mark+name+" ;")
	}
	return append(out[:len(out)-1], strings.TrimSuffix(out[len(out)-1], " ;")+".")
}

// opening is how an article begins: its name, and the mark after it.
func (p *pen) opening(number string, i int) string {
	f := p.style.article
	word := f.word
	if i == 1 && f.one != "" {
		word = f.one
	}
	if number == f.only && f.word == "Art." {
		word = "Article"
	}
	if f.caps {
		word, number = p.style.upper(word), p.style.upper(number)
	}
	return p.style.form.spread(word) + " " + number
}

// oneArticle adds an article of the text's own.
func (p *pen) oneArticle(a *act, number string, i int, body []string) {
	f := p.style.article
	name := p.style.spell(p.opening(number, i))
	title := ""
	if f.titled {
		title = p.style.spell(p.sentence("titreArticle"))
	}
	p.bodyOf(a, block{label: Article, rest: Paragraph, article: number}, name, title, body)
}

// bodyOf sets an article that begins as b does.
func (p *pen) bodyOf(a *act, b block, name, title string, body []string) {
	f := p.style.article
	b.first, b.before = p.style.indent, max(p.style.gap, 0.35)
	after := f.after
	switch {
	case f.ownLine || title != "":
		b.keep = true
		b.first = 0
		if f.centered {
			b.align = centered
		}
		head := name
		if title != "" {
			head += p.pick(" : ", " - ", ". ")[0:] + title
		}
		b.runs = []run{{strings.TrimSpace(head), f.bold, false}}
		p.text(a, p.style.form.below(b)...)
	default:
		b.runs = []run{{name + strings.TrimRight(after, " "), f.bold, false}, {p.style.spell(body[0]), false, false}}
		p.text(a, p.style.form.below(b)...)
		body = body[1:]
	}
	p.paragraphs(a, body)
}

// paragraphs adds paragraphs, items of lists further in.
func (p *pen) paragraphs(a *act, body []string) {
	for _, s := range body {
		item, is := strings.CutPrefix(s, "\t")
		b := p.plain(Paragraph, item)
		if is {
			b.first, b.left, b.before = 0, p.style.indent+0.5, 0.1
			if p.chance(40) {
				b.first, b.left = -1, p.style.indent+1.5
			}
		}
		p.text(a, b)
	}
}

// division adds a heading: of a title, a chapter, a section.
func (p *pen) division(a *act, level, n int) {
	word := [][]string{{"TITRE", "CHAPITRE", "SECTION"}, {"Titre", "Chapitre", "Section"}, {"LIVRE", "TITRE", "CHAPITRE"}}[p.style.division%3][level%3]
	number := law.WriteRoman(n)
	if level%3 == 2 || p.style.division%2 == 1 {
		number = strconv.Itoa(n)
	}
	if n == 1 && p.style.division%3 != 2 {
		number = p.pick(number, "premier", "Ier")
		if strings.EqualFold(word, "section") {
			number = p.pick("première", "1", "I")
		}
	}
	if strings.ToUpper(word) == word {
		number = strings.ToUpper(number)
	}
	words := p.sentence("division")
	if level%3 == 0 || p.style.division%3 == 0 && level%3 == 1 {
		words = p.style.upper(words)
	}
	join := p.join
	b := p.middle(Division, word+" "+number+join+words, p.style.bold)
	b.before = 1
	p.text(a, b)
}
