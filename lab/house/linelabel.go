package house

import "vigueur/internal/gazette/layout"

// LineLabel is the label and owner of most words of a line that layout.Arrange made
// of the issue's words, by letters; not ok for a line of other words. A word is
// known by its page, place and text.
func (i Issue) LineLabel(l layout.Line) (label Label, owner int, ok bool) {
	at := -1
	for k := range i.Pages {
		if i.Pages[k].Number == l.Page {
			at = k
			break
		}
	}
	if at < 0 {
		return "", -1, false
	}
	type vote struct {
		label Label
		owner int
	}
	votes := map[vote]int{}
	best := vote{owner: -1}
	words := i.Pages[at].Words
	from := 0
	for _, w := range l.Words {
		// Words of a line mostly follow one another on the page too.
		k := find(words, w, from)
		if k < 0 {
			continue
		}
		from = k + 1
		v := vote{i.Labels[at][k], i.Owner[at][k]}
		votes[v] += len(w.Text)
		if votes[v] > votes[best] || best.label == "" {
			best = v
		}
	}
	return best.label, best.owner, best.label != ""
}

// find is the index of a word on a page, looked for from a place on, round the
// page; -1 when it is not there.
func find(words []layout.Word, w layout.Word, from int) int {
	for k := range words {
		at := (from + k) % len(words)
		if words[at].Rect == w.Rect && words[at].Text == w.Text {
			return at
		}
	}
	return -1
}
