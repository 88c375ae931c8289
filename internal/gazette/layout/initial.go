package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A paragraph may begin with a letter over two lines or more. Its box reaches over these lines, so that
// it would stand in any of them and tie them into one.

// tallInitial is how many heights of the words beside it an initial is high, at least. One over two lines
// reaches from the top of the first line's capitals to the second one's base: 1.9 times the type's size or more
// where lines are set without any space between them.
const tallInitial = 1.8

// settleInitials gives letters over several lines the place of the first one, as a part of the word that they
// begin, and lets the other lines begin where the letter does. Cells are left as they are where there is none.
func settleInitials(cells []cell) []cell {
	if !slices.ContainsFunc(cells, func(c cell) bool { return capital(c.word.Text) }) {
		return cells
	}
	least := tallInitial * usualHeight(cells)
	settled := cells
	used := map[int]bool{} // letters, and what they were put before: each once, or one would take another along
	gone := map[int]bool{}
	for i, c := range cells {
		if c.r[3]-c.r[1] < least || used[i] || !capital(c.word.Text) {
			continue
		}
		first := linesBeside(cells, i)
		if len(first) < 2 || used[first[0]] {
			continue
		}
		if len(used) == 0 {
			settled = slices.Clone(cells)
		}
		used[i], used[first[0]] = true, true
		gone[i] = settle(settled, cells, i, first)
	}
	if len(used) == 0 {
		return cells
	}
	out := make([]cell, 0, len(settled))
	for i, c := range settled {
		if !gone[i] {
			out = append(out, c)
		}
	}
	return out
}

// settle puts a letter into the first of the lines beside it, and reports whether it is a part of another cell then.
func settle(settled, cells []cell, letter int, first []int) (joined bool) {
	c, top := cells[letter], cells[first[0]]
	for _, k := range first[1:] {
		settled[k].r[0] = min(settled[k].r[0], c.r[0])
	}
	if opensApart(cells, letter, first) {
		settled[letter].r[1], settled[letter].r[3] = top.r[1], top.r[3]
		settled[letter].word = c.word.sizedAs(top.word)
		return false
	}
	settled[first[0]].r[0] = min(settled[first[0]].r[0], c.r[0])
	settled[first[0]].word = top.word.behind(c.word)
	return true
}

// usualHeight is the median height of cells.
func usualHeight(cells []cell) float64 {
	high := make([]float64, len(cells))
	for i, c := range cells {
		high[i] = c.r[3] - c.r[1]
	}
	slices.Sort(high)
	return high[len(high)/2]
}

// capital tells of a word that is one capital letter.
func capital(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n == len(text) && unicode.IsUpper(r)
}

// linesBeside are the first cells of the lines that begin beside a letter, from top to bottom; none where
// words stand before the letter, or the lines do not begin at one place.
func linesBeside(cells []cell, letter int) []int {
	c := cells[letter].r
	first := linesAt(cells, letter)
	if slices.ContainsFunc(first, func(k int) bool { return cells[k].r[2] <= c[0] }) {
		return nil
	}
	first = slices.DeleteFunc(first, func(k int) bool { return cells[k].r[0] < (c[0]+c[2])/2 }) // above or below the letter
	slices.SortFunc(first, func(a, b int) int { return cmp.Compare(middle(cells[a].r), middle(cells[b].r)) })
	for _, k := range first {
		last := cells[first[len(first)-1]].r // the first one may stand behind a space
		if off := cells[k].r[0] - last[0]; off > 2*(last[3]-last[1]) || k != first[0] && math.Abs(off) > last[3]-last[1] {
			return nil
		}
	}
	return first
}

// linesAt are the first cells near a letter of the lines at whose height it stands.
func linesAt(cells []cell, letter int) (first []int) {
	c := cells[letter].r
	for i, o := range cells {
		high := o.r[3] - o.r[1]
		if i == letter || middle(o.r) < c[1] || middle(o.r) > c[3] || high*tallInitial > c[3]-c[1] || o.r[2] < c[0]-closeMost*high || o.r[0] > c[2]+2*high {
			continue
		}
		k := slices.IndexFunc(first, func(k int) bool { return level(cells[k].r, o.r) >= 0.5 })
		switch {
		case k < 0:
			first = append(first, i)
		case o.r[0] < cells[first[k]].r[0]:
			first[k] = i
		}
	}
	return first
}

// leastSpace is the narrowest space between words, in their height.
const leastSpace = 1.0 / 6

// opensApart reports whether a letter is a word by itself before the first of the lines beside it: only « à » is one at
// the beginning of a sentence. Then a space stands behind it that the other lines do not have, or a small word
// follows, and these begin no longer word of French with it.
func opensApart(cells []cell, letter int, first []int) bool {
	if text := cells[letter].word.Text; text != "A" && text != "À" {
		return false
	}
	top, next := cells[first[0]], cells[first[1]]
	if top.r[0]-next.r[0] > leastSpace*(top.r[3]-top.r[1]) {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(top.word.Text), notLetter)
	return len(words) > 0 && stopWords[words[0]]
}

// behind is the word that a letter over several lines begins, with the place of both.
func (w *Word) behind(letter *Word) *Word {
	out := *w
	out.Text = letter.Text + w.Text
	out.Rect = union(tidy(letter.Rect), tidy(w.Rect))
	return &out
}

// sizedAs is a word in another one's size.
func (w *Word) sizedAs(o *Word) *Word {
	out := *w
	out.Size = o.Size
	return &out
}
