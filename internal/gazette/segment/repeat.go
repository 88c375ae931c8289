package segment

import (
	"strings"

	"vigueur/internal/law"
)

// Files print a text twice: as it was typed and as it was signed, or in two
// issues bound together. The second print says nothing new and is set aside.

// sameText is the share of words from which on two articles are one.
const sameText = 0.85

// repeatTries is at how many articles of the first one's number a repetition is
// looked for.
const repeatTries = 4

// withoutRepeat cuts off the pieces that repeat a text from its first article on,
// and gives the lines that were cut.
func withoutRepeat(pieces []piece, title []line) (own []piece, cut []line) {
	first, tries := -1, 0
	for i, p := range pieces {
		switch {
		case p.role != articleRole:
		case first < 0:
			first = i
		case p.number != pieces[first].number || tries == repeatTries:
		case repeated(pieces[first:i], pieces[i:]):
			return cutOff(pieces, i, title)
		default:
			tries++
		}
	}
	return pieces, nil
}

// repeated reports whether all articles of b stand in a with the same words.
func repeated(a, b []piece) bool {
	known := map[string]string{}
	for _, p := range a {
		if p.role == articleRole {
			known[p.number] = joined(p.lines)
		}
	}
	n := 0
	for _, p := range b {
		if p.role != articleRole {
			continue
		}
		text, ok := known[p.number]
		if !ok || alike(text, joined(p.lines)) < sameText {
			return false
		}
		n++
	}
	return n > 0 && n*2 > len(known)
}

// alike is the share of words that two texts have in common.
func alike(a, b string) float64 {
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

// cutOff cuts off pieces i and after, with the title and the preamble before them
// that the piece at hand swallowed.
func cutOff(pieces []piece, i int, title []line) (own []piece, cut []line) {
	own = pieces[:i:i]
	start := map[string]bool{}
	if len(title) > 0 {
		start[title[0].text] = true
	}
	if len(pieces[0].lines) > 0 && pieces[0].role == preambleRole {
		start[pieces[0].lines[0].text] = true
	}
	last := &own[i-1]
	for j, l := range last.lines {
		if j > 0 && start[l.text] {
			cut = append(cut, last.lines[j:]...)
			last.lines = last.lines[:j:j]
			break
		}
	}
	for _, p := range pieces[i:] {
		cut = append(append(cut, p.title...), p.lines...)
	}
	return own, cut
}

// withoutCopies leaves out texts of an issue that come twice, and gives their
// lines.
func withoutCopies(drafts []*draft) (own []*draft, cut []line) {
	known := map[string]*draft{}
	for _, d := range drafts {
		key := d.head.key() + d.head.date.String()
		first, twice := known[key]
		if twice && d.head.number != "" && d.copies(first) {
			cut = append(cut, d.lines...)
			continue
		}
		known[key] = d
		own = append(own, d)
	}
	return own, cut
}

// copies reports whether a text has the same words as another.
func (d *draft) copies(other *draft) bool {
	return alike(joined(d.lines), joined(other.lines)) >= sameText
}
