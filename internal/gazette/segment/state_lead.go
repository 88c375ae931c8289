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
