package segment

import "vigueur/internal/law"

// trace tells of each text which one of the file, as it is cut without edits, it
// is, so that edits leave the other texts what they were: the one that begins with
// the same line; else one whose first line it holds, else the one that holds its
// first line, each for one text only. What is none of these is new: its Origin is -1.
func (m *mending) trace(issue *Issue, drafts []*draft) {
	hints := m.hints
	hints.Edits = nil
	plain := m.cutter.Split(m.given, hints)
	first := map[spot]int{} // of each text as cut without edits
	for _, t := range plain.Texts {
		first[spot{t.First.Page, t.First.Rect}] = t.Origin
	}
	was, is := map[spot]int{}, map[int]int{} // a line's text without edits; a text's index -> its origin
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
	if d := drafts[0]; d.headless && d.Origin < 0 && plain.Remains != nil { // a person has made it a text
		d.Origin = 0
	}
}

// spot is a place on a page.
type spot struct {
	page int
	rect law.Rect
}
