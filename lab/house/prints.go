package house

import (
	"slices"
	"strings"
)

// single composes a text printed alone.
func (p *pen) single() {
	key := p.style.natures[p.rng.IntN(len(p.style.natures))]
	if p.chance(60) && p.style.print == alone { // the state's name above, or beside the title
		at := len(p.blocks)
		for _, s := range []string{p.style.upper(strings.TrimPrefix(p.country, "la ")), p.pick("Paix - Travail - Patrie", "-----------", p.style.upper(p.ruler)), p.pick("", "ministère "+p.say("adjMin"))} {
			if s != "" {
				b := p.middle(Masthead, s, p.chance(50))
				if p.style.sign.beside {
					b.align = ragged
				}
				b.keep = false
				p.add(b)
			}
		}
		if natures[key].by != byParties && p.chance(60) {
			p.blocks, p.letterhead = p.blocks[:at], slices.Clone(p.blocks[at:])
		}
	}
	if p.style.print == webPage {
		b := para(Masthead, p.style.spell(p.pick("Accueil > Textes > "+p.style.gazette, p.title, "Imprimer cette page | Retour à la liste")))
		b.before = 1
		p.add(b)
	}
	if p.style.print == alone && p.letterhead == nil && p.chance(20) {
		p.foreword()
	}
	p.write(key)
	p.pending = nil
}

// foreword is a report printed in front of a text's title, which cites other texts
// wherever its lines break.
func (p *pen) foreword() {
	title := p.middle(Notice, p.pick("RAPPORT DE PRÉSENTATION", "EXPOSÉ DES MOTIFS", "Rapport de présentation", "NOTE DE PRÉSENTATION"), p.chance(50))
	title.before = 1.5
	p.add(title)
	for range p.between(3, 9) {
		s := p.sentence("rapport")
		for p.chance(70) {
			s += " " + p.pick(capital(cite(p, "loi", "décret", "ordonnance"))+" a été "+p.pick("modifié", "abrogé et remplacé", "complété")+" par "+cite(p, "loi", "décret")+".",
				"À cet effet, "+p.cited(cite(p, "loi", "décret", "arrêté"))+", modifié par "+cite(p, "loi", "décret")+", ne répond plus aux besoins du secteur.",
				p.sentence("rapport"))
		}
		p.add(p.plain(Notice, s))
	}
	if p.chance(50) {
		p.add(p.plain(Notice, p.pick("Telle est l'économie du présent projet.", "Tel est l'objet du présent projet de texte soumis à votre signature.")))
	}
}

// book composes a code with its table of contents.
func (p *pen) book() draft {
	title := "Code " + contract("de", p.say("domaine"))
	a := &act{nature: natures["code"], key: "code", office: p.say("adjMin")}
	p.texts = append(p.texts, Text{Type: a.kind, Nature: "Code", Title: p.style.spell(p.style.upper(title))})
	var by []string
	if p.chance(60) { // it tells which law made it
		day := p.earlier(4000)
		a.number = p.number(p.style.numbers[0], day, p.serial())
		by = p.madeBy(p.style.head.number(a.number) + " du " + p.date(day))
		p.texts[0].Number, p.texts[0].Date = a.number, dayOf(day)
	}
	p.articles(a, p.size(a))
	body := p.blocks
	p.blocks = nil
	b := p.middle(Head, p.style.upper(title), true)
	b.size, b.before = 1.8, 8
	p.text(a, b)
	for _, line := range by {
		p.text(a, p.middle(Head, line, false))
	}
	if p.chance(50) {
		p.add(p.middle(Masthead, p.pick("Édition ", "Mise à jour : ")+p.slot("year", ""), false))
	}
	contents := p.middle(Summary, p.pick("Table des matières", "SOMMAIRE", "PLAN DU CODE"), true)
	contents.fresh, contents.size = true, 1.2
	p.add(contents)
	for i := range body {
		d := &body[i]
		if d.label != Division {
			continue
		}
		e := para(Summary, strings.ReplaceAll(d.text(), "\n", " : "))
		d.mark = -1 - i // text marks are positive
		e.tail, e.ref, e.dots, e.before = "000", d.mark, p.style.summary.dots, 0.2
		if p.style.summary.pages == 0 {
			e.tail, e.ref, e.dots = "", 0, false
		}
		if p.chance(30) && p.style.summary.pages == 0 {
			e.runs[0].text += " (art. " + p.slot("n", "1-20") + " à " + p.slot("n", "21-90") + ")"
		}
		p.add(e)
	}
	if len(body) > 0 {
		body[0].fresh = true
	}
	p.add(body...)
	return p.draft()
}

// madeBy are the lines below a code's name that tell the act of the given number and day,
// which made it, in brackets or without, and what has changed it since.
func (p *pen) madeBy(numbered string) []string {
	kind := p.pick("loi", "loi", "loi", "ordonnance", "décret-loi", "dahir")
	n := natures[kind]
	var out []string
	switch made := p.pick("Institué par ", "Promulgué par ", "Approuvé par ", "") + article(n.fem, kind) + " " + numbered; {
	case made[0] != 'l':
		out = []string{made}
	default:
		out = []string{n.name + " " + numbered}
	}
	if p.chance(60) {
		out[0] = "(" + out[0] + ")"
		return out
	}
	if p.chance(40) {
		out = append(out, p.pick("Modifié par :", "modifié et complété par", "tel que modifié par :"))
		for range p.between(1, 4) {
			out = append(out, p.pick("- ", "", "")+cite(p, "loi", "loi", "ordonnance", "décret")+p.pick(" ;", "", ","))
		}
	}
	return out
}

// cut makes pages out of an issue: they begin in the middle of a text, whose title
// is not on them, and end in the middle of another.
func (p *pen) cut() {
	first := -1
	for i := range p.blocks {
		if p.blocks[i].label == Article {
			first = i
			break
		}
	}
	if first >= 0 && len(p.texts) > 1 {
		gone := p.blocks[first].owner
		from := first + p.rng.IntN(3)
		for from < len(p.blocks) && p.blocks[from].owner != gone {
			from--
		}
		p.blocks = p.blocks[from:]
		p.orphan(gone)
	}
	last := p.blocks[len(p.blocks)-1].owner
	keep := len(p.blocks)
	for n := p.between(1, 4); n > 0 && keep > 8 && p.blocks[keep-1].owner == last && p.blocks[keep-1].label != Head && p.blocks[keep-1].label != Abridged; n-- {
		keep--
	}
	p.blocks = p.blocks[:keep]
	p.clean()
}

// orphan takes a text out of the truth: its words stay, and belong to none.
func (p *pen) orphan(gone int) {
	var visit func(blocks []block)
	visit = func(blocks []block) {
		for i := range blocks {
			if blocks[i].owner == gone {
				blocks[i].owner, blocks[i].article = -1, ""
			}
			for _, side := range blocks[i].beside {
				visit(side)
			}
		}
	}
	visit(p.blocks)
}

// clean takes texts out of the truth that have no block left.
func (p *pen) clean() {
	seen := make([]bool, len(p.texts))
	for i := range p.blocks {
		if o := p.blocks[i].owner; o >= 0 {
			seen[o] = true
		}
	}
	to, texts := make([]int, len(p.texts)), []Text(nil)
	for i, t := range p.texts {
		to[i] = -1
		if seen[i] {
			to[i] = len(texts)
			texts = append(texts, t)
		}
	}
	var visit func(blocks []block)
	visit = func(blocks []block) {
		for i := range blocks {
			if blocks[i].owner >= 0 {
				blocks[i].owner = to[blocks[i].owner]
			}
			for _, side := range blocks[i].beside {
				visit(side)
			}
		}
	}
	visit(p.blocks)
	p.texts = texts
}

// erratum corrects a text that was printed before: it is named in the title, and
// what it says instead.
func (p *pen) erratum() {
	n := natures[p.pick("décret", "arrêté", "loi", "décret")]
	name := article(n.fem, strings.ToLower(n.name)) + " n° " + p.number("{yy}-{n}", p.earlier(400), p.serial()) + " du " + p.date(p.earlier(400))
	title := p.pick("Rectificatif ", "RECTIFICATIF ", "Erratum ") + contract("a", name) + p.pick("", " publié au journal officiel n° "+p.slot("n", "2-90"), " "+p.about(!n.fem))
	owner := len(p.texts)
	p.texts = append(p.texts, Text{Type: n.kind, Nature: "Rectificatif", Title: p.style.spell(title)})
	p.pending = append(p.pending, entry{text: p.style.spell(title), rubric: n.rubric, ministry: p.say("adjMin"), day: p.day, owner: owner})
	h := p.style.head
	b := block{label: Head, owner: owner, runs: []run{{p.style.spell(title), h.bold, false}}, align: h.align, first: h.indent, before: 1.6, keep: true}
	p.add(b)
	a := &act{nature: n, owner: owner}
	p.text(a, p.middle(Paragraph, "Au lieu de :", false), p.plain(Paragraph, p.sentence("phrase")), p.middle(Paragraph, "Lire :", false), p.plain(Paragraph, p.sentence("phrase")))
	if p.chance(60) {
		p.text(a, p.plain(Paragraph, "Le reste sans changement."))
	}
}
