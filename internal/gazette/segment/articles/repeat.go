package articles

import (
	"strings"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Some files contain a text twice: as it was typed and as it was signed, or in two issues bound together. The
// second print adds nothing, and is set aside.

// SameText is the minimum share of common words with which two articles, or two texts, are the same.
const SameText = 0.85

// repeatTries is the maximum number of articles with the number of the first one that are tried as the start of a
// repetition.
const repeatTries = 4

// CutRepeat cuts off the pieces that repeat the text from its first article on. It returns the other
// pieces, and the lines that were cut.
func CutRepeat(pieces []Piece, title []line.Line) (own []Piece, cut []line.Line) {
	first, tries := -1, 0
	for i, p := range pieces {
		switch {
		case p.Role != ArticleRole:
		case first < 0:
			first = i
		case p.Number != pieces[first].Number || tries == repeatTries:
		case repeats(pieces[first:i], pieces[i:]):
			return cutOff(pieces, i, title)
		default:
			tries++
		}
	}
	return pieces, nil
}

// repeats reports whether all articles of b occur in a with the same words, and are more than half of the articles of
// a.
func repeats(a, b []Piece) bool {
	known := map[string]string{}
	for _, p := range a {
		if p.Role == ArticleRole {
			known[p.Number] = line.Join(p.Lines)
		}
	}
	n := 0
	for _, p := range b {
		if p.Role != ArticleRole {
			continue
		}
		text, ok := known[p.Number]
		if !ok || Dice(text, line.Join(p.Lines)) < SameText {
			return false
		}
		n++
	}
	return n > 0 && n*2 > len(known)
}

// Dice returns the share of words that two texts have in common: twice the number of common words by the
// number of all words (the Sørensen–Dice coefficient).
func Dice(a, b string) float64 {
	x, y := strings.Fields(law.Fold(a)), strings.Fields(law.Fold(b))
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	n := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			n++
		}
	}
	return float64(2*n) / float64(max(1, len(x)+len(y)))
}

// cutOff cuts off the pieces from i on. The piece before them may also contain the title and the preamble of
// the repetition, which are cut too.
func cutOff(pieces []Piece, i int, title []line.Line) (own []Piece, cut []line.Line) {
	own = pieces[:i:i]
	start := map[string]bool{}
	if len(title) > 0 {
		start[title[0].Text] = true
	}
	if len(pieces[0].Lines) > 0 && pieces[0].Role == PreambleRole {
		start[pieces[0].Lines[0].Text] = true
	}
	last := &own[i-1]
	for j, l := range last.Lines {
		if j > 0 && start[l.Text] {
			cut = append(cut, last.Lines[j:]...)
			last.Lines = last.Lines[:j:j]
			break
		}
	}
	for _, p := range pieces[i:] {
		cut = append(append(cut, p.title...), p.Lines...)
	}
	return own, cut
}
