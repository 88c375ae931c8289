package heads

import (
	"slices"
	"strconv"

	"vigueur/internal/law"
)

// byParts is the number of an article in a code that counts by parts, « L. 12-3 »: a letter, the number of a
// part, and the number within the part, 0 if there is none.
type byParts struct {
	letter     byte
	part, item int
}

// partsOf reads the number of an article counted by parts, as law.ArticleNumber writes it. It returns false for numbers
// with more parts or a suffix.
func partsOf(number string) (n byParts, ok bool) {
	m := numberParts.FindStringSubmatch(number)
	if m == nil {
		return n, false
	}
	part, err := strconv.Atoi(m[2])
	item, err2 := strconv.Atoi(m[3])
	return byParts{m[1][0], part, item}, err == nil && (err2 == nil || m[3] == "")
}

var numberParts = law.Pattern(`^([LRDA])[. ]*(\d{1,5})(?:~(\d{1,3}))?$`)

// lostHeads is the maximum difference between the numbers of two consecutive heads, because heads between them may have
// been lost.
const lostHeads = 3

// mayFollow reports whether article n may come after article last: up to lostHeads numbers later in the same
// part, or as the first of a later part.
func (n byParts) mayFollow(last byParts) bool {
	if n.letter != last.letter || (n.item == 0) != (last.item == 0) {
		return false
	}
	if n.item == 0 {
		return n.part > last.part && n.part <= last.part+lostHeads
	}
	return n.part == last.part && n.item > last.item && n.item <= last.item+lostHeads || n.part > last.part && n.item == 1
}

// mayPrecede reports whether the number other may come later than n in the same code.
func (n byParts) mayPrecede(other byParts) bool {
	return n.letter != other.letter || n.part < other.part || n.part == other.part && n.item < other.item
}

// String writes the number as law.ArticleNumber does.
func (n byParts) String() string {
	s := string(n.letter) + ". " + strconv.Itoa(n.part)
	if n.item > 0 {
		s += "-" + strconv.Itoa(n.item)
	}
	return s
}

// parted is a line that is, or resembles, the head of an article counted by parts.
type parted struct {
	Head
	byParts
	clear bool
	glued bool // the dash of its number was lost
}

// mendByParts is Mend for the articles of codes that count by parts. It repairs heads whose word was misread, heads
// after which specks were read, and heads whose number lost its dash.
func mendByParts(lines []Line) (out []Head) {
	all := partedOn(lines)
	last := byParts{}
	for k, h := range all {
		if h.glued {
			h.byParts, h.clear = h.withDash(last), false
		}
		if !h.clear {
			if !h.fits(last, all[k+1:]) {
				continue
			}
			out = append(out, Head{Line: h.Line, Number: h.String(), End: h.End})
		}
		last = h.byParts
	}
	return out
}

// partedOn returns the heads among lines, and the lines that resemble them.
func partedOn(lines []Line) []parted {
	var out []parted
	dashed := 0
	for i, l := range lines {
		if !l.Apart {
			continue
		}
		number, end, clear := Read(l.Text, "")
		h := Head{Line: i, Number: number, End: end}
		if !clear {
			h, _ = slippedByParts(l.Text)
			h.Line = i
		}
		n, ok := partsOf(h.Number)
		if !ok {
			continue
		}
		out = append(out, parted{h, n, clear, false})
		if n.item > 0 {
			dashed++
		}
	}
	for k := range out {
		out[k].glued = 2*dashed > len(out) && out[k].item == 0
	}
	return out
}

// fits reports whether the numbers read before and after a head leave a gap for it.
func (h parted) fits(last byParts, behind []parted) bool {
	next := slices.IndexFunc(behind, func(b parted) bool { return b.clear && !b.glued })
	switch {
	case last.letter == 0: // the first head in the text
		return next >= 0 && h.part > 0 && behind[next].mayFollow(h.byParts)
	case next >= 0 && !h.mayPrecede(behind[next].byParts):
		return false
	}
	return h.mayFollow(last)
}

// withDash restores the lost dash of a number (« L. 25 » after « L. 2-4 » is « L. 2-5 ») from the number before it. If
// the number before does not show where the dash was, it returns a number without parts.
func (n byParts) withDash(last byParts) byParts {
	glued := strconv.Itoa(n.part)
	for k := 1; k <= lostHeads; k++ {
		for _, may := range []byParts{{n.letter, last.part, last.item + k}, {n.letter, last.part + k, 1}} {
			if last.item > 0 && strconv.Itoa(may.part)+strconv.Itoa(may.item) == glued {
				return may
			}
		}
	}
	return byParts{letter: n.letter}
}
