package house

import (
	"strconv"

	"vigueur/internal/law"
)

// after is what may follow a text that belongs to it: a foot note, an annex.
func (p *pen) after(a *act) {
	if a.noted {
		p.work(a)
	}
	if p.style.tabled {
		p.annexHead(a, "")
		p.nomenclature(a, p.between(60, 200))
		p.table(a, p.between(60, 200))
		return
	}
	if !p.chance(p.style.extras / 2) {
		return
	}
	from := len(p.blocks)
	defer func() {
		if p.style.columns > 1 && p.style.language == 0 && p.often(Across, 15) {
			across(p.blocks[from:])
		}
	}()
	switch p.rng.IntN(4) {
	case 0:
		p.annexTable(a)
	case 1:
		p.annexArticles(a)
	case 2:
		p.annexForm(a)
	default:
		p.annexTreaty(a)
	}
}

// across sets blocks over all columns, as an annex is set that fills a page or two: the end of
// its text stands above it in columns.
func across(blocks []block) {
	for i := range blocks {
		blocks[i].wide = true
	}
}

// work is the note on what came before a law.
func (p *pen) work(a *act) {
	year := strconv.Itoa(a.day.Year())
	s := p.pick("(1) Travaux préparatoires : Discussion et adoption par "+lowerFirst(p.house)+" dans sa séance du "+p.gregorian(a.day.AddDate(0, 0, -20))+".",
		"(1) Travaux préparatoires : loi n° "+year+"-"+p.slot("n", "2-99")+" : rapport de Mme "+p.surname()+", au nom de la commission "+contract("de", p.say("domaine"))+", n° "+p.slot("n", "10-90")+" ; adoption le "+p.gregorian(a.day.AddDate(0, 0, -9))+".",
		"* Assemblée : projet de loi n° "+p.slot("n", "10-400")+" ; discussion et adoption le "+p.gregorian(a.day.AddDate(0, 0, -30))+".")
	b := p.plain(Note, s)
	b.size, b.before = 0.85, 1
	p.text(a, b)
}

// annexHead is the title of an annex.
func (p *pen) annexHead(a *act, more string) {
	s := p.pick("ANNEXE", "Annexe", "ANNEXE I", "ANNEXE À LA PRÉSENTE DÉCISION", "ANNEXE n° 1", "Tableau annexe")
	b := p.middle(Annex, s, p.style.bold)
	b.before, b.fresh = 1.8, p.chance(15)
	p.text(a, b)
	if more != "" {
		p.text(a, p.middle(Annex, more, p.chance(50)))
	}
}

// annexTable is a table, which may go over pages.
func (p *pen) annexTable(a *act) {
	p.annexHead(a, p.pick("", p.style.upper(p.sentence("division")), "Liste "+contract("de", p.say("objetP"))))
	if p.chance(25) {
		p.scale(a)
		return
	}
	rows := p.between(2, 40)
	if p.chance(15) { // over pages
		rows *= 4
	}
	if p.chance(30) {
		p.nomenclature(a, rows)
		return
	}
	p.table(a, rows)
}

// scale is a short table of two columns without a heading: what is sold or done, and its
// price or its share.
func (p *pen) scale(a *act) {
	b := block{label: Table, before: 0.1 * float64(p.between(3, 8)), size: 1, edges: []float64{0, 0.1 * float64(p.between(3, 7))}}
	for range p.between(2, 12) {
		b.cells = append(b.cells, []string{
			p.style.spell(capital(p.pick(p.say("objet"), p.say("domaine"), p.say("grade"), p.place()))),
			p.pick(grouped(p.between(1000, 900000), p.style.thousands), p.slot("n", "2-30")+" %", p.slot("n", "1-90"), "exempt"),
		})
	}
	p.text(a, b)
}

// nomenclature is a table of codes and what they stand for, several side by side.
func (p *pen) nomenclature(a *act, rows int) {
	pairs := p.between(1, 3)
	if p.style.columns > 1 {
		pairs = 1
	}
	names := []string{"type", "région", "zone", "section", "programme", "chapitre", "commune", "service"}
	p.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	b := block{label: Table, before: 0.8, size: 0.85}
	var heads []string
	bare, big := p.chance(40), p.chance(50)
	for i := range pairs {
		name := " " + names[i]
		if bare {
			name = ""
		}
		for _, h := range []string{"Code" + name, "Libellé" + name} {
			if big {
				h = p.style.upper(h)
			}
			heads = append(heads, p.style.spell(h))
		}
	}
	b.cells = append(b.cells, heads)
	for range rows {
		var line []string
		for range pairs {
			line = append(line, p.slot("n", "1-90")+p.pick("", "0", "1", "00"), p.style.spell(p.pick(p.say("domaine"), p.say("objet"), p.style.upper(p.say("domaine")), p.place())))
		}
		b.cells = append(b.cells, line)
	}
	for i := range heads {
		edge := float64(i/2) / float64(pairs)
		if i%2 == 1 {
			edge += 0.25 / float64(pairs)
		}
		b.edges = append(b.edges, edge)
	}
	p.text(a, b)
}

// table is rows of cells; in narrow columns it may go over all of them.
func (p *pen) table(a *act, rows int) {
	columns := p.between(3, 6)
	wide := p.style.columns > 1 && p.chance(60)
	if p.style.columns > 1 && !wide {
		columns = 3
	}
	b := block{label: Table, before: 0.8, wide: wide, size: 0.9}
	heads := []string{"N°", "Désignation", "Unité", "Tarif", "Taux", "Chapitre", "Montant", "Observations", "Grade", "Effectif", "Localité", "Code"}
	p.rng.Shuffle(len(heads), func(i, j int) { heads[i], heads[j] = heads[j], heads[i] })
	b.cells = append(b.cells, heads[:columns])
	for i := range rows {
		line := []string{strconv.Itoa(i + 1)}
		line = append(line, p.style.spell(p.pick(p.say("domaine"), p.say("objet"), p.place(), p.say("grade"))))
		for len(line) < columns {
			line = append(line, p.pick(p.slot("n", "1-90"), grouped(p.between(1000, 900000), p.style.thousands), p.slot("n", "2-30")+" %", "exempt", p.place()))
		}
		b.cells = append(b.cells, line)
	}
	b.edges = []float64{0, 0.1}
	for i := 2; i < columns; i++ {
		b.edges = append(b.edges, 0.5+0.5*float64(i-2)/float64(columns-2))
	}
	p.text(a, b)
}

// annexArticles is what a text approves: a set of rules with articles of its own,
// which are none of the text's.
func (p *pen) annexArticles(a *act) {
	p.annexHead(a, p.style.upper(p.pick("cahier des charges relatif ", "règlement intérieur applicable ", "statuts types relatifs ")+contract("a", p.say("objetF"))))
	n := p.between(4, 14)
	if p.chance(12) { // a collective agreement
		n *= 5
	}
	p.foreign(a, n)
}

// foreign are articles that are not the text's own.
func (p *pen) foreign(a *act, n int) {
	for i := 1; i <= n; i++ {
		number := strconv.Itoa(i)
		if i == 1 {
			number = p.style.article.first
		}
		title := ""
		if p.style.article.titled {
			title = p.style.spell(p.sentence("titreArticle"))
		}
		p.bodyOf(a, block{label: Article, rest: Paragraph}, p.style.spell(p.opening(number, i)), title, p.body(i))
	}
}

// annexForm is a form or a list.
func (p *pen) annexForm(a *act) {
	if p.chance(35) {
		p.annexHead(a, p.pick("Liste des textes abrogés", "TEXTES DE RÉFÉRENCE", "Textes modifiés"))
		p.paragraphs(a, p.named("Loi, décrets et arrêtés :"))
		return
	}
	p.annexHead(a, p.pick("Modèle de déclaration", "Liste des pièces à fournir", "Barème"))
	p.paragraphs(a, append(p.list(), p.list()...))
}

// annexTreaty is an agreement that a text ratifies, with its own articles and
// signatures.
func (p *pen) annexTreaty(a *act) {
	p.annexHead(a, p.style.upper(p.pick("accord", "convention", "protocole")+" entre le Gouvernement "+contract("de", p.country)+" et le Gouvernement du Royaume de "+p.place()+" relatif "+contract("a", p.say("domaine"))))
	p.text(a, p.plain(Paragraph, "Le Gouvernement "+contract("de", p.country)+", d'une part, et le Gouvernement du Royaume de "+p.place()+", d'autre part, désireux de renforcer leur coopération en matière "+contract("de", p.say("domaine"))+", sont convenus de ce qui suit :"))
	p.foreign(a, p.between(4, 12))
	p.text(a, p.plain(Place, "Fait à "+p.place()+", le "+p.gregorian(p.earlier(2000))+", en deux exemplaires originaux."))
	both := *a
	both.by = byParties
	p.signatures(a, p.signers(&both))
}

// report is what the government says for a text, printed before it.
func (p *pen) report(a *act) {
	b := p.middle(Paragraph, p.pick("RAPPORT DE PRÉSENTATION", "EXPOSÉ DES MOTIFS", "Rapport de présentation"), p.style.bold && p.chance(60))
	p.text(a, b)
	for range p.between(2, 6) {
		s := p.sentence("rapport")
		for p.chance(40) {
			s += " " + p.sentence("rapport")
		}
		p.text(a, p.plain(Paragraph, s))
	}
}

// letter is the body of a circular: to whom, on what, and numbered parts.
func (p *pen) letter(a *act) {
	to := p.pick("À Messieurs les gouverneurs et préfets", "à Mesdames et Messieurs les chefs de service", "Le ministre à Mesdames et Messieurs les directeurs", "Destinataires : "+p.say("acteurP"))
	p.text(a, p.plain(Visa, to))
	if p.chance(60) {
		p.text(a, p.plain(Visa, "Objet : "+p.say("domaine")+"."), p.plain(Visa, "Réf. : "+cite(p, "loi", "décret", "arrêté")+"."))
	}
	n := p.between(2, 5)
	for i := 1; i <= n; i++ {
		if p.chance(50) {
			b := p.plain(Division, law.WriteRoman(i)+p.pick(". ", " - ", "/ ")+p.sentence("division"))
			b.runs[0].bold, b.keep, b.before = p.style.bold, true, 0.8
			p.text(a, b)
		}
		p.paragraphs(a, p.body(9))
		if p.chance(30) {
			p.paragraphs(a, p.list())
		}
	}
}
