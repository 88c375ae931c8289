package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A paragraph may begin with a letter that is two or more lines high. The box of the letter overlaps all
// these lines, so without special care the letter could be put into any of them, and would join them into one line.

// tallInitial is the minimum height of an initial, relative to the words beside it. An initial over two lines
// extends from the top of the first line's capitals to the base of the second line. This is at least 1.9 times
// the type size, even if there is no space between the two lines.
const tallInitial = 1.8

// placeInitials moves each initial that is several lines high into the first of these lines, where it usually becomes
// part of the word that it begins. The other lines then begin where the initial begins. Without initials,
// placeInitials returns cells unchanged.
func placeInitials(cells []cell) []cell {
	if !slices.ContainsFunc(cells, func(c cell) bool { return capital(c.word.Text) }) {
		return cells
	}
	least := tallInitial * usualHeight(cells)
	settled := cells
	used := map[int]bool{} // initials, and the cells that they begin; a cell that was used twice would lose a word
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
		gone[i] = placeInitial(settled, cells, i, first)
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

// placeInitial puts an initial into the first of the lines beside it. It reports whether the letter became part
// of another cell.
func placeInitial(settled, cells []cell, letter int, first []int) (joined bool) {
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
	settled[first[0]].word = top.word.prefixedBy(c.word)
	return true
}

// usualHeight returns the median height of cells.
func usualHeight(cells []cell) float64 {
	high := make([]float64, len(cells))
	for i, c := range cells {
		high[i] = c.r[3] - c.r[1]
	}
	slices.Sort(high)
	return high[len(high)/2]
}

// capital reports whether text is a single capital letter.
func capital(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n == len(text) && unicode.IsUpper(r)
}

// linesBeside returns the first cells of the lines that begin beside a letter, from top to bottom. It returns
// none if words come before the letter, or if the lines do not begin at the same place.
func linesBeside(cells []cell, letter int) []int {
	c := cells[letter].r
	first := linesAt(cells, letter)
	if slices.ContainsFunc(first, func(k int) bool { return cells[k].r[2] <= c[0] }) {
		return nil
	}
	first = slices.DeleteFunc(first, func(k int) bool { return cells[k].r[0] < (c[0]+c[2])/2 }) // above or below the letter
	slices.SortFunc(first, func(a, b int) int { return cmp.Compare(middle(cells[a].r), middle(cells[b].r)) })
	for _, k := range first {
		last := cells[first[len(first)-1]].r // the first line may begin after a space
		if off := cells[k].r[0] - last[0]; off > 2*(last[3]-last[1]) || k != first[0] && math.Abs(off) > last[3]-last[1] {
			return nil
		}
	}
	return first
}

// linesAt returns the first cell of each line that the letter overlaps vertically. Only cells near the letter count.
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

// leastSpace is the minimum width of a space between words, in heights of the words.
const leastSpace = 1.0 / 6

// opensApart reports whether an initial is a word of its own before the first of the lines beside it. At the
// beginning of a sentence, « à » is the only such word. It is followed by a space that the other lines do not
// have, or by a stop word, because « à » and a stop word do not form a longer French word.
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

// prefixedBy returns the word w with an initial before it, and with a box around both.
func (w *Word) prefixedBy(letter *Word) *Word {
	out := *w
	out.Text = letter.Text + w.Text
	out.Rect = union(tidy(letter.Rect), tidy(w.Rect))
	return &out
}

// sizedAs returns the word with the type size of another one.
func (w *Word) sizedAs(o *Word) *Word {
	out := *w
	out.Size = o.Size
	return &out
}
