package segment

import (
	"slices"

	"vigueur/internal/law"
)

// Notes at the foot of a page stand between two lines of an article and are no
// words of it. They are known by the rule that parts them from the text, or by
// their smaller type and the mark that begins them.

var (
	noteRule = law.Pattern(`^(?:_ ?){5,}$|^(?:~ ?){8,}$`)
	noteMark = law.Pattern(`^(?:\(\d{1,3}\)|\d{1,3}(?: ?[~.)]| +~)|\(?\*{1,3}\)?) *["«(]?\p{L}`)
)

const (
	noteType  = 0.9 // of the page's usual type, at most
	noteShare = 0.6 // of a page's lines, at most
)

// setNotesAside takes the foot notes of all pages out of the lines.
func setNotesAside(lines []line) (text, notes []line) {
	text = make([]line, 0, len(lines))
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && lines[to].Page == lines[from].Page && lines[to].Column == lines[from].Column {
			to++
		}
		n := from + noteAt(lines[from:to])
		text = append(text, lines[from:n]...)
		notes = append(notes, lines[n:to]...)
		from = to
	}
	return text, notes
}

// noteAt gives the index of the first line of the notes at the end of a column,
// the number of its lines when there are none.
func noteAt(column []line) int {
	n := len(column)
	least := n - int(noteShare*float64(n))
	for i := n - 1; i >= least; i-- {
		if i+1 < n && noteMark.MatchString(column[i+1].text) && noteRule.MatchString(column[i].text) {
			return i
		}
	}
	usual := usualSize(column)
	if usual == 0 {
		return n
	}
	first := n
	for i := n - 1; i >= least && column[i].Size <= noteType*usual; i-- {
		if noteMark.MatchString(column[i].text) {
			first = i
		}
	}
	return first
}

// usualSize is the size of type of most letters, 0 when it is not known.
func usualSize(lines []line) float64 {
	letters := map[float64]int{}
	var sizes []float64
	for _, l := range lines {
		if letters[l.Size] == 0 {
			sizes = append(sizes, l.Size)
		}
		letters[l.Size] += len(l.text)
	}
	slices.Sort(sizes)
	best := 0.0
	for _, z := range sizes {
		if letters[z] > letters[best] || best == 0 {
			best = z
		}
	}
	return best
}
