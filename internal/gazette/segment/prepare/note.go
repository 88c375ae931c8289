package prepare

import (
	"slices"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Footnotes are printed between two lines of an article, and do not belong to it. They are recognized by the
// rule that separates them from the text, or by their smaller type and the mark with which they begin.

var (
	noteRule = law.Pattern(`^(?:_ ?){5,}$|^(?:~ ?){8,}$`)
	noteMark = law.Pattern(`^(?:(\( ?\d{1,3} ?\))|(\d{1,3})(?: ?[~.)]| +~)|(\(?\*{1,3}\)?)) *["«(]?\p{L}`)
)

const (
	noteType  = 0.9 // maximum type size of a note, relative to the text above it
	noteShare = 0.6 // maximum share of the lines of a column that are notes
)

// setNotesAside separates the footnotes of all pages from the text, and removes, from the words of the text, the marks
// that refer to footnotes.
func setNotesAside(lines []line.Line) (text, notes []line.Line) {
	text = make([]line.Line, 0, len(lines))
	usual := usualSize(lines)
	broken := false // the previous notes end within a sentence
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && lines[to].Page == lines[from].Page && lines[to].Column == lines[from].Column {
			to++
		}
		n := from + noteAt(lines[from:to], usual, broken)
		broken = n < to && !line.Ends(lines[to-1].Text)
		takeCalls(lines[from:n], lines[n:to])
		text = append(text, lines[from:n]...)
		notes = append(notes, lines[n:to]...)
		from = to
	}
	return text, notes
}

// noteAt returns the index of the first line of the notes at the end of a column, len(column) if there are
// none. Notes are set in smaller type than the text above them, and in smaller type than most of the column
// or, if notes fill most of it, most of the file (usual). A note that continues from the column before
// (goesOn) begins without a mark, so its smaller type is enough.
func noteAt(column []line.Line, usual float64, goesOn bool) int {
	n := len(column)
	least := n - int(noteShare*float64(n))
	for i := n - 1; i >= least; i-- {
		if i+1 < n && noteMark.MatchString(column[i+1].Text) && noteRule.MatchString(column[i].Text) {
			return i
		}
	}
	usual = max(usual, usualSize(column))
	first, largest := n, 0.0
	for i := n - 1; i >= max(least, 1); i-- {
		largest = max(largest, column[i].Size)
		if !goesOn && !noteMark.MatchString(column[i].Text) {
			continue
		}
		if column[i].Size > 0 && largest <= noteType*min(usual, usualSize(column[:i])) { // scans have no type size
			first = i
		}
	}
	return first
}

// usualSize returns the type size of most letters, 0 if it is unknown.
func usualSize(lines []line.Line) float64 {
	letters := map[float64]int{}
	var sizes []float64
	for _, l := range lines {
		if letters[l.Size] == 0 {
			sizes = append(sizes, l.Size)
		}
		letters[l.Size] += len(l.Text)
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
