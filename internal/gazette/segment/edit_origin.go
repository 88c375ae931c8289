package segment

import "vigueur/internal/law"

// trace sets the Origin of each text, so that edits of one text leave the others as they were. Origin is the
// text of the file as cut without edits that begins with the same line; else one whose first line this text
// contains; else the one that contains this text's first line. Each is the origin of one text only, and a
// text without one is new.
func (m *mending) trace(issue *Issue, drafts []*draft) {
	hints := m.hints
	hints.Edits = nil
	plain := m.cutter.Split(m.given, hints)
	first := map[spot]int{} // by its first line, the origin of each text as cut without edits
	for _, t := range plain.Texts {
		first[spot{t.First.Page, t.First.Rect}] = t.Origin
	}
	was, is := map[spot]int{}, map[int]int{} // origin by line without edits; origin by index of text
	for _, l := range plain.Lines {
		was[spot{l.Page, l.Rect}] = -1
		if l.TextIndex >= 0 {
			was[spot{l.Page, l.Rect}] = plain.Texts[l.TextIndex].Origin
		}
	}
	taken := map[int]bool{}
	claim := func(text, origin int) {
		if _, known := is[text]; !known && !taken[origin] {
			is[text], taken[origin] = origin, true
		}
	}
	for i, d := range drafts {
		if origin, ok := first[spot{d.First.Page, d.First.Rect}]; ok {
			claim(i, origin)
		}
	}
	for _, l := range issue.Lines {
		if origin, begins := first[spot{l.Page, l.Rect}]; begins && l.TextIndex >= 0 {
			claim(l.TextIndex, origin)
		}
	}
	for i, d := range drafts {
		if origin, ok := was[spot{d.First.Page, d.First.Rect}]; ok && origin >= 0 {
			claim(i, origin)
		}
	}
	for i, d := range drafts {
		d.Origin = -1
		if origin, ok := is[i]; ok {
			d.Origin = origin
		}
	}
	if d := drafts[0]; d.headless && d.Origin < 0 && plain.Remains != nil { // a person made a text of these remains
		d.Origin = 0
	}
}

// spot is a rectangle on a page.
type spot struct {
	page int
	rect law.Rect
}
