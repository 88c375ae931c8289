package house

import "strings"

// cite is another text as a title or a visa names it, with an article: « la loi
// n° 2001-11 du 3 mars 2001 relative à la pêche ».
func cite(p *pen, kinds ...string) string {
	n := natures[kinds[p.rng.IntN(len(kinds))]]
	name := strings.ToLower(n.name)
	day := p.earlier(365 * 25)
	pattern := p.style.numbers[max(n.number, 0)]
	if pattern == "" {
		if n.kind == "arrete" && p.chance(70) {
			return article(n.fem, name) + " du " + p.date(day)
		}
		pattern = "{yy}-{n}"
	}
	return article(n.fem, name) + " " + p.style.head.number(p.number(pattern, day, p.between(1, 900))) + " du " + p.date(day)
}

func article(fem bool, name string) string {
	switch {
	case strings.ContainsAny(name[:1], "aeiou"):
		return "l'" + name
	case fem:
		return "la " + name
	}
	return "le " + name
}

// cited adds to a citation what the text is about, now and then.
func (p *pen) cited(s string) string {
	if p.deep > 0 || p.chance(55) {
		return s
	}
	p.deep++ // what it is about names no further text
	defer func() { p.deep-- }()
	if strings.HasPrefix(s, "la ") {
		return s + " " + p.about(false)
	}
	return s + " " + p.about(true)
}

// about is what a text is about, of a masculine one or not.
func (p *pen) about(masc bool) string {
	if masc {
		if p.chance(25) {
			return p.say("butMasc")
		}
		for {
			if s := p.say("but"); !strings.HasPrefix(s, "relative") {
				return s
			}
		}
	}
	return p.say("but")
}
