package edits

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
)

// trace finds the Origin of each text among the texts of the file as cut without edits, so that edits of one text leave
// the other texts as they were. The origin is the text that begins with the same line, else a text whose first line is
// in this text, else the text that contains this text's first line. Each text as cut without edits is the origin of one
// text only, and a text without an origin is new.
func (m *Applier) trace(issue *gazette.Issue, drafts []*texts.Draft) {
	hints := m.Hints
	hints.Edits = nil
	plain := m.split(m.given, hints)
	first := map[line.Spot]int{} // by its first line, the origin of each text as cut without edits
	for _, t := range plain.Texts {
		first[line.Spot{Page: t.First.Page, Rect: t.First.Rect}] = t.Origin
	}
	was, is := map[line.Spot]int{}, map[int]int{} // origin by line without edits; origin by index of text
	for _, l := range plain.Lines {
		was[line.Spot{Page: l.Page, Rect: l.Rect}] = -1
		if l.TextIndex >= 0 {
			was[line.Spot{Page: l.Page, Rect: l.Rect}] = plain.Texts[l.TextIndex].Origin
		}
	}
	taken := map[int]bool{}
	claim := func(text, origin int) {
		if _, known := is[text]; !known && !taken[origin] {
			is[text], taken[origin] = origin, true
		}
	}
	for i, d := range drafts {
		if origin, ok := first[line.Spot{Page: d.First.Page, Rect: d.First.Rect}]; ok {
			claim(i, origin)
		}
	}
	for _, l := range issue.Lines {
		if origin, begins := first[line.Spot{Page: l.Page, Rect: l.Rect}]; begins && l.TextIndex >= 0 {
			claim(l.TextIndex, origin)
		}
	}
	for i, d := range drafts {
		if origin, ok := was[line.Spot{Page: d.First.Page, Rect: d.First.Rect}]; ok && origin >= 0 {
			claim(i, origin)
		}
	}
	for i, d := range drafts {
		d.Origin = -1
		if origin, ok := is[i]; ok {
			d.Origin = origin
		}
	}
	if d := drafts[0]; d.Headless && d.Origin < 0 && plain.Remains != nil { // a person made a text of these remains
		d.Origin = 0
	}
}
