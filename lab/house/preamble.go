package house

import "strings"

// preamble is what stands between a title and the first article.
func (p *pen) preamble(a *act) {
	switch a.by {
	case byParliament:
		p.promulgation(a)
	default:
		p.decision(a)
	}
}

// promulgation is how a law is enacted.
func (p *pen) promulgation(a *act) {
	set := func(s string) block {
		if p.style.visas.centered {
			return p.middle(Formula, s, false)
		}
		return p.plain(Formula, s)
	}
	if p.style.visas.place == 0 && p.chance(35) { // a law that names what it rests on
		p.text(a, p.plain(Visa, p.ruler+" ;"))
		p.visas(a, p.between(1, 6))
		p.text(a, p.plain(Formula, "Après avis du Conseil constitutionnel ;"), p.plain(Formula, "Après adoption par le Parlement ;"),
			p.plain(Formula, "Promulgue la loi dont la teneur suit :"))
		return
	}
	verb := " a délibéré et adopté,"
	if strings.Contains(p.house, " et ") {
		verb = " ont délibéré et adopté,"
	}
	if p.chance(25) {
		p.text(a, set("Au nom du peuple,"))
	}
	p.text(a, set(p.pick(p.house+verb, p.house+" ayant adopté,", p.house+", après en avoir délibéré, a adopté en sa séance du "+p.gregorian(a.day)+" ;")))
	p.text(a, set(p.ruler+" promulgue la loi dont la teneur suit :"))
}

// decision is how what is no law is enacted: who decides, on what it rests, and
// the enacting word.
func (p *pen) decision(a *act) {
	authority := a.minister
	switch a.by {
	case byRuler:
		authority = p.ruler
	case byMayor:
		authority = "Le " + p.pick("maire de la commune de ", "président de la délégation spéciale de ", "gouverneur de la région de ") + p.place()
	case byUnion:
		authority = p.pick("Le Conseil des ministres de l'Union ", "La Commission de la Communauté ", "La Conférence des chefs d'État de l'Union ") + p.pick("économique", "douanière", "monétaire") + " de " + p.place()
	}
	if p.style.head.caps == 2 {
		authority = p.style.upper(authority)
	}
	var who []string
	who = append(who, authority+",")
	if strings.HasPrefix(a.name, "Arrêté inter") || strings.HasSuffix(a.name, "conjoint") {
		for range p.between(1, 2) {
			who = append(who, capital(p.minister())+",")
		}
	}
	name := func() {
		for _, w := range who {
			b := p.plain(Visa, w)
			if p.style.visas.centered {
				b = p.middle(Visa, w, false)
			}
			p.text(a, b)
		}
	}
	if p.style.visas.place == 0 {
		name()
	}
	count := p.between(2, 9)
	if p.style.visas.short {
		count = p.between(0, 3)
	}
	if a.kind == "decret" && p.style.visas.place == 1 || p.chance(15) {
		p.text(a, p.plain(Visa, p.pick("Sur le rapport ", "Sur rapport ", "Sur proposition ")+contract("de", lowerFirst(a.minister))+p.style.visas.end))
	}
	p.visas(a, count)
	if p.style.visas.place == 1 {
		name()
	}
	p.formula(a)
}

// visas are the lines « Vu la loi … ». They name other texts, and wrap where those
// names begin, which makes lines that look like titles.
func (p *pen) visas(a *act, n int) {
	dash := ""
	if p.style.visas.dash {
		dash = p.pick("- ", "— ")
	}
	for i := range n {
		end := p.style.visas.end
		if i == n-1 {
			end = p.style.visas.last
		}
		s := ""
		switch k := p.rng.IntN(20); {
		case i == 0 && p.chance(70):
			s = p.pick("Vu la Constitution", "Vu la Constitution, notamment ses articles "+p.slot("n", "20-60")+" et "+p.slot("n", "61-120"), "Vu la Charte de transition", "Vu le traité de l'Union")
		case k < 4:
			s = "Vu " + cite(p, "loi", "ordonnance", "décret", "décret-loi", "loi organique")
		case k == 19:
			p.text(a, p.plain(Visa, dash+p.say("considerant")))
			continue
		default:
			ref := cite(p, p.style.natures[p.rng.IntN(len(p.style.natures))], "loi", "décret", "décret", "arrêté", "loi")
			p.deep++
			s = "Vu " + ref + " " + p.about(!strings.HasPrefix(ref, "la "))
			p.deep--
			if p.chance(35) {
				s += ", " + p.pick("modifié et complété par ", "ensemble ", "tel que modifié par ", "modifiant et complétant ") + cite(p, "décret", "loi", "arrêté")
			}
		}
		p.text(a, p.plain(Visa, dash+s+end))
	}
}

// formula is the enacting word.
func (p *pen) formula(a *act) {
	s := a.formula
	long := strings.Contains(s, " ")
	switch {
	case long:
	case p.style.visas.formula == 0:
		s = p.style.upper(s)
	case p.style.visas.formula == 2:
		s = strings.Join(strings.Split(p.style.upper(s), ""), " ")
	}
	b := p.middle(Formula, s+p.pick(" :", " :", ":"), p.style.bold)
	if long && !p.style.visas.centered {
		b = p.plain(Formula, s+" :")
	}
	p.text(a, b)
}
