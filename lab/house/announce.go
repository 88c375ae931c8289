package house

import "strconv"

// announcements are notices of no text under a heading: from one sentence to a page of
// their own, as offices, courts and companies have them printed.
func (p *pen) announcements() {
	title := p.say("titreNotice")
	if p.style.parts && p.chance(60) {
		title = "PARTIE NON OFFICIELLE"
	}
	b := p.middle(Notice, title, true)
	b.before, b.size = 2, 1.1
	p.add(b)
	most := 12
	if p.style.fewNotices {
		most = 3
	}
	for range p.between(2, most) * max(1, p.style.flood) {
		if p.chance(15) {
			p.add(p.middle(Notice, p.say("titreNotice"), p.style.bold))
		}
		at := len(p.blocks)
		p.notice(p.sentence("notice"))
		if p.chance(30) {
			p.notice(p.pick("Pour avis et mention,", "Le greffier en chef,", "Pour extrait, "+p.name(), "Le notaire, "+p.name()))
		}
		if p.aside.IntN(100) < p.style.announced {
			p.blocks = p.blocks[:at]
			p.rng, p.aside = p.aside, p.rng
			p.announcement()
			p.rng, p.aside = p.aside, p.rng
		}
	}
}

// announced is how many of 100 notices are announcements of several paragraphs where a style
// is Announcing. Each is as long as seven of the others: so they have about as many lines.
const announced = 12

// Announcing is the style with announcements of several paragraphs among its notices: of
// tenders, companies, associations, land registries, courts and offices. What is printed
// before them is the same with and without.
func (s Style) Announcing() Style {
	s.announced = announced
	return s
}

// announcement is a notice of several paragraphs, with a heading of its own.
func (p *pen) announcement() {
	[]func(){p.tender, p.tender, p.outcome, p.company, p.association, p.landNotice, p.courtNotice, p.communique}[p.rng.IntN(8)]()
}

// notice adds a paragraph of an announcement.
func (p *pen) notice(s string) { p.add(p.plain(Notice, s)) }

// noticeHead adds the heading of an announcement, set as titles of texts are or below
// them.
func (p *pen) noticeHead(s string) {
	if p.chance(40) {
		s = p.style.upper(s)
	}
	b := p.middle(Notice, s, p.style.bold && p.chance(70))
	b.before = 1.4
	if p.chance(30) {
		b.align = ragged
	}
	p.add(b)
}

// filed is how an office numbers what it announces: « 012/2003/MRT/DG ».
func (p *pen) filed() string {
	n := p.pick(strconv.Itoa(p.between(1, 900)), p.slot("n", "10-99")) + "/" + strconv.Itoa(p.day.Year())
	for p.chance(60) {
		n += "/" + p.initials(p.between(2, 4))
	}
	return n
}

// signedNotice ends an announcement with its place and who made it, now and then.
func (p *pen) signedNotice() {
	if p.chance(50) {
		p.notice(p.pick("Fait à ", "") + p.place() + ", le " + p.gregorian(p.earlier(60)))
	}
	if p.chance(60) {
		office := p.middle(Notice, capital(p.pick(p.minister(), "le directeur général", "le président de la commission des marchés", "le liquidateur", "le conservateur")), false)
		name := p.middle(Notice, p.name(), p.chance(40))
		office.align, name.align, name.keep, name.before = right, right, false, 0
		p.add(office, name)
	}
}

// tender invites to an offer: points with numbers or names, or articles as a contract has
// them, which quote the acts that rule it.
func (p *pen) tender() {
	head := "Avis d'appel d'offres " + p.pick("", "ouvert ", "restreint ", "national ", "international ") + p.pick("n° ", "N° ") + p.filed()
	if p.chance(40) {
		head += " du " + p.date(p.earlier(90))
	}
	if p.chance(35) {
		head += " " + p.pick("relatif à ", "pour ", "portant sur ") + p.say("objetF")
	}
	p.noticeHead(head)
	if p.chance(40) {
		p.notice(p.sentence("financeAppel"))
	}
	form := p.rng.IntN(4)
	for i, n := 1, p.between(3, 8); i <= n; i++ {
		s := p.sentence("pointAppel")
		switch form {
		case 0:
			s = strconv.Itoa(i) + p.pick(". ", " - ", "°) ") + s
		case 1:
			s = p.opening(strconv.Itoa(i), i) + p.say("objetAppel") + p.pick(". ", " : ") + s
		case 2:
			s = p.sentence("objetAppel") + " : " + s
		}
		p.notice(s)
	}
	p.signedNotice()
}

// outcome tells who won a tender, in a table or in words.
func (p *pen) outcome() {
	p.noticeHead(p.pick("Résultats provisoires", "Avis d'attribution de marché", "Résultats de l'appel d'offres", "Procès-verbal d'ouverture des plis") + p.pick("", " n° "+p.filed()))
	p.notice(p.sentence("rappelAppel"))
	if p.chance(60) {
		b := block{label: Notice, owner: -1, before: 0.8, size: 0.9, edges: []float64{0, 0.12, 0.5, 0.75}}
		b.cells = append(b.cells, []string{"N°", "Soumissionnaire", "Montant", "Rang"})
		for i := range p.between(2, 9) {
			b.cells = append(b.cells, []string{strconv.Itoa(i + 1), p.slot("label", ""), grouped(p.between(1000, 900000)*100, p.style.thousands), p.pick("1er", "2e", "3e", "écarté", "non conforme")})
		}
		p.add(b)
	}
	p.notice(p.sentence("attribution"))
	p.signedNotice()
}

// company tells what a company became; its statutes have articles.
func (p *pen) company() {
	p.noticeHead(p.pick("", "Société ") + p.slot("label", ""))
	if p.chance(70) {
		p.notice("Société " + p.pick("anonyme", "à responsabilité limitée", "par actions simplifiée") + " au capital de " + p.amount() + ". Siège social : " + p.place() + ".")
	}
	for range p.between(1, 3) {
		p.notice(p.sentence("societe"))
	}
	if p.chance(40) {
		p.noticeHead(p.pick("Statuts", "Extrait des statuts", "Avis de constitution"))
		for i, n := 1, p.between(3, 9); i <= n; i++ {
			number := strconv.Itoa(i)
			if i == 1 {
				number = p.style.article.first
			}
			p.notice(p.opening(number, i) + p.say("titreStatut") + p.pick(" : ", ". ", " - ") + p.sentence("statut"))
		}
	}
	p.signedNotice()
}

// association is the receipt of its declaration, numbered and dated as an act is.
func (p *pen) association() {
	receipt := p.pick("Récépissé", "Récépissé de déclaration d'association", "Récépissé définitif", "Déclaration d'association") + " n° " + p.filed() + " du " + p.date(p.earlier(400))
	if p.chance(40) {
		receipt += " portant " + p.pick("déclaration de l'association dénommée ", "reconnaissance de l'association ") + "« " + p.slot("label", "") + " »"
	}
	if p.chance(50) {
		p.noticeHead(receipt)
	} else {
		p.notice(receipt + ".")
	}
	if p.chance(40) {
		p.notice(capital(p.minister()) + " certifie que, conformément aux dispositions " + contract("de", p.slot("law", "")) + ", l'association a déposé ses statuts.")
	}
	for _, name := range []string{"declarationNom", "declarationBut", "declarationSiege"} {
		p.notice(p.sentence(name))
	}
	p.signedNotice()
}

// landNotice is of the land registry: who asks for what land, by which act.
func (p *pen) landNotice() {
	p.noticeHead(p.pick("Réquisition d'immatriculation n° ", "Extrait de réquisition n° ", "Avis de demande d'immatriculation n° ", "Avis de clôture de bornage n° ") + p.slot("n", "100-9000"))
	for range p.between(1, 4) {
		p.notice(p.sentence("foncier"))
	}
	p.signedNotice()
}

// courtNotice is what a court has printed: who was judged, by which acts.
func (p *pen) courtNotice() {
	if p.chance(60) {
		p.noticeHead(p.pick("Tribunal de première instance de ", "Cour d'appel de ", "Tribunal de commerce de ", "Greffe du tribunal de ") + p.place())
	}
	p.notice(p.sentence("jugement"))
	for range p.between(0, 4) {
		p.notice("Vu " + p.pick(p.slot("law", ""), p.slot("decree", "")) + " ;")
	}
	for range p.between(1, 3) {
		p.notice(p.sentence("dispositif"))
	}
	p.signedNotice()
}

// communique is what an office tells the public, numbered and dated as an act is.
func (p *pen) communique() {
	head := p.pick("Communiqué", "Avis au public", "Avis de concours", "Avis de recrutement", "Avis d'enquête", "Situation mensuelle de la Banque centrale")
	if p.chance(60) {
		head += " n° " + p.filed()
	}
	if p.chance(50) {
		head += " du " + p.date(p.earlier(60))
	}
	p.noticeHead(head)
	for range p.between(1, 4) {
		p.notice(p.sentence("communique"))
	}
	p.signedNotice()
}
