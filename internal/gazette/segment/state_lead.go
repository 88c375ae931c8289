package segment

import (
	"slices"

	"vigueur/internal/law"
)

// Publishers of consolidated texts print the day of the state before the name of the text, and the names of the acts that
// amended it below: « Version consolidée au 1er avril 2020 : Décret du 18 mars 2020 … / Liste des modificateurs … ».

// stateLead matches the words about the state before the name of a text.
var stateLead = law.Pattern(`^(?i:(?:version|texte|[ée]tat|[ée]dition) +(?:consolid[ée]e?|coordonn[ée]e?|mise? +à +jour|en +vigueur|applicable)[^:]{0,60}) *: *`)

// splitStateLeads sets the words about the state of a text apart from its name.
func splitStateLeads(lines []line) []line {
	at := slices.IndexFunc(lines, func(l line) bool { return stateLead.MatchString(l.text) })
	if at < 0 {
		return lines
	}
	l := lines[at]
	name := l.after(len(stateLead.FindString(l.text)))
	if !namesText(name) {
		return lines
	}
	l.Words = l.Words[:len(l.Words)-len(name.Words)]
	l.text, l.Rect = l.Line.Text(), around(l.Words)
	name.opens = true
	return slices.Concat(lines[:at:at], []line{l, name}, lines[at+1:])
}

// amendedBy matches the heading over the acts that amended a text.
var amendedBy = optionalAccents(`^(?i:(?:liste +des +)?(?:modificateurs|(?:textes|actes) +modificatifs)|(?:tel(?:le)? +qu['’]\p{L}+ +a +été +)?(?:modifi|complét)ée?(?: +et +\p{L}+)?(?: +successivement)? +par) *:?$`)

// amendingActs returns the lines under the title of a text that list the acts that amended it, up to the first line of its
// body, where the reading has another text or the gazette's own lines there.
func (m marked) amendingActs(lines []line, texts []textLines) []int {
	var out []int
	for _, s := range texts {
		for i := s.from + 1; i < min(s.from+listReach, len(lines)) && !lines[i].heads() && !visa.MatchString(lines[i].text); i++ {
			if !amendedBy.MatchString(lines[i].text) {
				continue
			}
			for ; i < len(lines) && !lines[i].heads() && !visa.MatchString(lines[i].text); i++ {
				if m.labels[i].beginsText() || m.labels[i].loose() && m.labels[i] != Furniture {
					out = append(out, i)
				}
			}
			break
		}
	}
	return out
}

// listReach is how many lines behind the first one of a title the list of the acts that amended the text may begin.
const listReach = 20
