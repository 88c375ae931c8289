package house

import "strings"

// rubrics adds the groups with the headings over them.
func (p *pen) rubrics(groups []group) {
	if p.style.parts {
		p.rubric(p.pick("PARTIE OFFICIELLE", "PARTIE OFFICIELLE", "ACTES DU GOUVERNEMENT"), 0)
	}
	kind, ministry, side, short := "", "", -1, false
	for i := range groups {
		g := &groups[i]
		decrees := rank(g.kind) >= 3
		if p.style.general && decrees {
			if s := boolInt(g.short); s != side {
				p.rubric([]string{p.pick("A - TEXTES GÉNÉRAUX", "TEXTES GÉNÉRAUX"), p.pick("B - TEXTES PARTICULIERS", "TEXTES PARTICULIERS", "MESURES NOMINATIVES")}[s], 1)
				side, ministry = s, ""
			}
		}
		above := p.style.ministries == 2 && decrees // the ministry stands above the kind
		if above && g.ministry != ministry {
			p.rubric("ministère "+g.ministry, 1)
			kind, ministry, short = "", g.ministry, false
		}
		if p.style.kinds && g.kind != kind {
			p.rubric(p.kindRubric(g.kind), boolInt(above)*2)
			if !above {
				ministry = ""
			}
			short = false
		}
		kind = g.kind
		if p.style.ministries == 1 && decrees && g.ministry != ministry {
			p.rubric("ministère "+g.ministry, 1)
			ministry, short = g.ministry, false
		}
		if g.short && !short && len(p.style.abridged) > 0 && p.chance(60) {
			p.rubric(p.pick("Actes en abrégé", "Actes en abrégé", "MESURES INDIVIDUELLES", "DÉCISIONS INDIVIDUELLES", "Extraits"), 2)
		}
		if g.short && p.chance(25) {
			p.rubric(p.pick("NOMINATION", "Nomination", "Agrément", "INSCRIPTION ET PROMOTION", "Congés", "Retraite"), 2)
		}
		short = g.short
		p.add(g.blocks...)
		if p.chance(8) && p.style.rubric[2] != 1 {
			b := p.middle(Furniture, p.pick("-----", "________", "* * *", "———"), false)
			b.keep = false
			p.add(b)
		}
	}
}

// kindRubric is the heading over a kind of texts.
func (p *pen) kindRubric(kind string) string {
	switch kind {
	case "Décrets":
		return p.pick("Décrets", "Décrets, arrêtés, décisions", "Décrets et arrêtés")
	case "Arrêtés":
		return p.pick("Arrêtés", "Arrêtés, décisions et avis", "Arrêtés")
	}
	return kind
}

// rubric adds a heading over texts; level is 0 for parts and kinds, 1 for
// ministries, 2 below.
func (p *pen) rubric(words string, level int) {
	s := p.style
	switch {
	case level < 2 && s.rubric[1] == 1:
		words = s.upper(words)
	case level < 2:
		words = capital(words)
	}
	if s.rubric[2] == 1 && level == 0 {
		words = "- " + words + " -"
	}
	b := p.middle(Rubric, words, s.bold && level < 2 || level == 0)
	b.before = 2 - 0.4*float64(level)
	if level == 0 {
		b.size = 1.15
	}
	if s.rubric[0] == 1 {
		b.align = ragged
	}
	p.add(b)
	if s.rubric[2] == 2 && level == 0 {
		rule := p.middle(Furniture, strings.Repeat(p.pick("-", "_", "=", "*"), p.between(5, 20)), false)
		rule.before = 0.2
		p.add(rule)
	}
}
