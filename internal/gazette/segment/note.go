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
	noteMark = law.Pattern(`^(?:(\( ?\d{1,3} ?\))|(\d{1,3})(?: ?[~.)]| +~)|(\(?\*{1,3}\)?)) *["«(]?\p{L}`)
)

const (
	noteType  = 0.9 // of the type of the text above, at most
	noteShare = 0.6 // of a page's lines, at most
)

// setNotesAside takes the foot notes of all pages out of the lines, and their
// calls out of the words.
func setNotesAside(lines []line) (text, notes []line) {
	text = make([]line, 0, len(lines))
	usual := usualSize(lines)
	broken := false // the notes before end within a sentence
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && lines[to].Page == lines[from].Page && lines[to].Column == lines[from].Column {
			to++
		}
		n := from + noteAt(lines[from:to], usual, broken)
		broken = n < to && !ended(lines[to-1].text)
		takeCalls(lines[from:n], lines[n:to])
		text = append(text, lines[from:n]...)
		notes = append(notes, lines[n:to]...)
		from = to
	}
	return text, notes
}

// noteAt returns the index of the first line of the notes at the end of a column,
// the number of its lines when there are none. Notes are set in smaller type than
// the text above them, and than most of the column or, where notes fill most of it,
// than most of the file, whose usual type is given. A note that goes on from the
// column before begins without a mark, so that its smaller type alone tells it.
func noteAt(column []line, usual float64, goesOn bool) int {
	n := len(column)
	least := n - int(noteShare*float64(n))
	for i := n - 1; i >= least; i-- {
		if i+1 < n && noteMark.MatchString(column[i+1].text) && noteRule.MatchString(column[i].text) {
			return i
		}
	}
	usual = max(usual, usualSize(column))
	first, largest := n, 0.0
	for i := n - 1; i >= max(least, 1); i-- {
		largest = max(largest, column[i].Size)
		if !goesOn && !noteMark.MatchString(column[i].text) {
			continue
		}
		if column[i].Size > 0 && largest <= noteType*min(usual, usualSize(column[:i])) { // of a scan no size is known
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
