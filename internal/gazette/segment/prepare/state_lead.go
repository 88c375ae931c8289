package prepare

import (
	"slices"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Publishers of consolidated texts print the day of the state before the name of the text, and the names of the acts that
// amended it below: « Version consolidée au 1er avril 2020 : Décret du 18 mars 2020 … / Liste des modificateurs … ».

// stateLead matches the words about the state before the name of a text.
var stateLead = law.Pattern(`^(?i:(?:version|texte|[ée]tat|[ée]dition) +(?:consolid[ée]e?|coordonn[ée]e?|mise? +à +jour|en +vigueur|applicable)[^:]{0,60}) *: *`)

// splitStateLeads sets the words about the state of a text apart from its name.
func splitStateLeads(lines []line.Line) []line.Line {
	at := slices.IndexFunc(lines, func(l line.Line) bool { return stateLead.MatchString(l.Text) })
	if at < 0 {
		return lines
	}
	l := lines[at]
	name := l.From(len(stateLead.FindString(l.Text)))
	if !titles.NamesText(name) {
		return lines
	}
	l.Words = l.Words[:len(l.Words)-len(name.Words)]
	l.Text, l.Rect = l.Line.Text(), line.BoundsOf(l.Words)
	name.Opens = true
	return slices.Concat(lines[:at:at], []line.Line{l, name}, lines[at+1:])
}
