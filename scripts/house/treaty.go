package house

// treaty is a treaty, a charter or a constitution that stands by itself: its title
// has no number.
func (p *pen) treaty(a *act) {
	parties := ""
	switch a.key {
	case "traité", "convention", "protocole", "accord":
		parties = " entre " + p.country + " et " + p.pick("le Royaume de ", "l'Union de ", "la République de ") + p.place() + " "
		switch {
		case p.chance(50):
			parties += "portant sur " + p.say("domaine")
		case a.fem:
			parties += "relative " + contract("a", p.say("domaine"))
		default:
			parties += "relatif " + contract("a", p.say("domaine"))
		}
	case "charte":
		parties = " " + p.pick("africaine ", "nationale ", "méditerranéenne ", "communautaire ") + contract("de", p.say("domaine"))
	default:
		parties = " " + contract("de", p.country)
	}
	title := a.name + parties
	if p.chance(50) {
		title = p.style.upper(title)
	}
	p.texts[a.owner].Title = p.style.spell(title)
	p.pending = append(p.pending, entry{text: p.style.spell(a.name + parties), rubric: a.rubric, ministry: a.office, day: a.day, owner: a.owner})
	b := p.middle(Head, title, p.style.bold || p.style.head.bold)
	b.before, b.size, b.wide = 2, max(p.style.head.size, 1), p.style.wideHeads
	p.text(a, b)
	if a.kind != "constitution" {
		p.text(a, p.plain(Visa, p.pick("Les Parties contractantes,", "Les États membres,", "Les Hautes Parties contractantes,")), p.plain(Visa, "Conscients de l'importance "+contract("de", p.say("domaine"))+" ;"),
			p.plain(Visa, "Rappelant "+cite(p, "convention", "charte", "traité")+" ;"))
		p.formula(a)
	} else {
		p.text(a, p.middle(Division, p.pick("PRÉAMBULE", "Préambule"), p.style.bold))
		p.paragraphs(a, []string{"Nous, peuple " + contract("de", p.country) + ", attaché " + contract("a", p.say("domaine")) + " ;", p.sentence("phrase")})
	}
	p.articles(a, p.between(10, 40))
	p.close(a)
}
