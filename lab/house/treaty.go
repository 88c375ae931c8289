package house

import (
	"time"

	"vigueur/internal/law"
)

// treaty is a treaty, a charter or a constitution that stands by itself: its title
// has no number.
func (p *pen) treaty(a *act) {
	parties := ""
	switch {
	case a.key == "acte uniforme", a.key != "charte" && a.kind == law.Loi && p.chance(35): // by what it is about alone
		parties = " " + p.concerning(a)
	case a.key == "traité", a.key == "convention", a.key == "protocole", a.key == "accord":
		parties = " entre " + p.country + " et " + p.pick("le Royaume de ", "l'Union de ", "la République de ") + p.place() + " "
		switch {
		case p.chance(50):
			parties += "portant sur " + p.say("domaine")
		case a.fem:
			parties += "relative " + contract("a", p.say("domaine"))
		default:
			parties += "relatif " + contract("a", p.say("domaine"))
		}
	case a.key == "charte":
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
	p.solemn(a)
	p.articles(a, p.between(2, 40))
	if p.chance(30) { // it tells no day
		p.texts[a.owner].Date = time.Time{}
		return
	}
	p.close(a)
}

// concerning is what a treaty is about, where its parties are not named.
func (p *pen) concerning(a *act) string {
	related := "relatif "
	if a.fem {
		related = "relative "
	}
	if p.chance(40) && a.key != "acte uniforme" {
		return "sur " + p.say("domaine")
	}
	return related + contract("a", p.say("domaine"))
}

// solemn is what stands between the title of a treaty or a constitution and its first
// article: often nothing.
func (p *pen) solemn(a *act) {
	if p.chance(40) {
		return
	}
	if a.kind != "constitution" {
		p.text(a, p.plain(Visa, p.pick("Les Parties contractantes,", "Les États membres,", "Les Hautes Parties contractantes,")), p.plain(Visa, "Conscients de l'importance "+contract("de", p.say("domaine"))+" ;"),
			p.plain(Visa, "Rappelant "+cite(p, "convention", "charte", "traité")+" ;"))
		p.formula(a)
	} else {
		p.text(a, p.middle(Division, p.pick("PRÉAMBULE", "Préambule"), p.style.bold))
		p.paragraphs(a, []string{"Nous, peuple " + contract("de", p.country) + ", attaché " + contract("a", p.say("domaine")) + " ;", p.sentence("phrase")})
	}
}
