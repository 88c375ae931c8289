package segment

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// letteredNumber is the number of an article in a code that counts by parts, « L. 12-3 »: a letter, the
// number of a part, and the number within the part, 0 if there is none.
type letteredNumber struct {
	letter     byte
	part, item int
}

// letteredOf reads such a number as law.ArticleNumber writes it. It returns false for numbers with more parts
// or a suffix.
func letteredOf(number string) (n letteredNumber, ok bool) {
	m := letteredParts.FindStringSubmatch(number)
	if m == nil {
		return n, false
	}
	part, err := strconv.Atoi(m[2])
	item, err2 := strconv.Atoi(m[3])
	return letteredNumber{m[1][0], part, item}, err == nil && (err2 == nil || m[3] == "")
}

var letteredParts = law.Pattern(`^([LRDA])[. ]*(\d{1,5})(?:~(\d{1,3}))?$`)

// lostHeads is how far a number may be ahead of the one before, because heads between them were lost.
const lostHeads = 3

// mayFollow reports whether article n may come after article last: up to lostHeads numbers later in the same
// part, or as the first of a later part.
func (n letteredNumber) mayFollow(last letteredNumber) bool {
	if n.letter != last.letter || (n.item == 0) != (last.item == 0) {
		return false
	}
	if n.item == 0 {
		return n.part > last.part && n.part <= last.part+lostHeads
	}
	return n.part == last.part && n.item > last.item && n.item <= last.item+lostHeads || n.part > last.part && n.item == 1
}

// leftOut returns the numbers missing between last and n, as absent does, if both are in the same part.
// Between parts it returns "", because the end of a part is unknown.
func (n letteredNumber) leftOut(last letteredNumber) string {
	from, to, at := last.item+1, n.item-1, func(i int) string { return letteredNumber{n.letter, n.part, i}.String() }
	if n.item == 0 {
		from, to, at = last.part+1, n.part-1, func(i int) string { return letteredNumber{n.letter, i, 0}.String() }
	}
	same := n.letter == last.letter && (n.item == 0 && last.item == 0 || n.item > 0 && last.item > 0 && n.part == last.part)
	switch {
	case !same || to < from || to-from >= gapReach:
		return ""
	case from == to:
		return at(from)
	}
	return at(from) + "–" + at(to)
}

// mayPrecede reports whether other may come later in the same code.
func (n letteredNumber) mayPrecede(other letteredNumber) bool {
	return n.letter != other.letter || n.part < other.part || n.part == other.part && n.item < other.item
}

// blurredLettered matches the number after the word « Article », as scans show it.
var blurredLettered = law.Pattern(`^[ .:;,_~]*([LRDAlI])[.,:]? ?[*]? ?(\d{1,5}(?: ?~ ?\d{1,3})?)(?:[ .:;,_~)°|]+|$)`)

// letteredHead is a line that is, or resembles, the head of such an article.
type letteredHead struct {
	letteredNumber
	line, end int
	clear     bool
	glued     bool // the dash of its number was lost
}

// mendLettered repairs the heads of articles that are counted by parts, if their word was misread, specks
// follow it, or their number lost its dash. A line becomes a head, or gets another number, only if the
// numbers read around it leave a gap for it.
func mendLettered(lines []line) {
	heads := letteredHeads(lines)
	last := letteredNumber{}
	for k, h := range heads {
		if h.glued {
			h.letteredNumber, h.clear = h.withDash(last), false
		}
		if !h.clear {
			if !h.fits(last, heads[k+1:]) {
				continue
			}
			lines[h.line].number, lines[h.line].headEnd = h.String(), h.end
		}
		last = h.letteredNumber
	}
}

// letteredHeads returns the heads among lines, and the lines that resemble them.
func letteredHeads(lines []line) []letteredHead {
	var out []letteredHead
	dashed := 0
	for i := range lines {
		l := &lines[i]
		if !mayHead(before(lines, i), *l) {
			continue
		}
		number, end, clear := articleOf(l.text, "")
		if !clear {
			number, end = letteredSlip(l)
		}
		n, ok := letteredOf(number)
		if !ok {
			continue
		}
		out = append(out, letteredHead{n, i, end, clear, false})
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
func (h letteredHead) fits(last letteredNumber, behind []letteredHead) bool {
	next := slices.IndexFunc(behind, func(b letteredHead) bool { return b.clear && !b.glued })
	switch {
	case last.letter == 0: // the first head in the text
		return next >= 0 && h.part > 0 && behind[next].mayFollow(h.letteredNumber)
	case next >= 0 && !h.mayPrecede(behind[next].letteredNumber):
		return false
	}
	return h.mayFollow(last)
}

// withDash restores the lost dash of a number (« L. 25 » after « L. 2-4 » is « L. 2-5 ») from the number before
// it. It returns a number without parts if that does not show where the dash was.
func (n letteredNumber) withDash(last letteredNumber) letteredNumber {
	glued := strconv.Itoa(n.part)
	for k := 1; k <= lostHeads; k++ {
		for _, may := range []letteredNumber{{n.letter, last.part, last.item + k}, {n.letter, last.part + k, 1}} {
			if last.item > 0 && strconv.Itoa(may.part)+strconv.Itoa(may.item) == glued {
				return may
			}
		}
	}
	return letteredNumber{letter: n.letter}
}

// String writes the number as law.ArticleNumber does.
func (n letteredNumber) String() string {
	s := string(n.letter) + ". " + strconv.Itoa(n.part)
	if n.item > 0 {
		s += "-" + strconv.Itoa(n.item)
	}
	return s
}

// letteredSlip reads a line that resembles the head of such an article. The number is "" for any other line.
func letteredSlip(l *line) (number string, end int) {
	if strings.HasPrefix(l.text, "a") { // « article L. 12-3 du code »: within a sentence
		return "", 0
	}
	at, ok := blurredWord(l.text)
	if !ok {
		return "", 0
	}
	m := blurredLettered.FindStringSubmatchIndex(l.text[at:])
	if m == nil {
		return "", 0
	}
	letter, end := l.text[at+m[2]:at+m[3]], at+m[1]
	if letter == "l" || letter == "I" {
		letter = "L"
	}
	rest := l.text[end:]
	if rest != "" && !startsBig(rest) && strings.ContainsFunc(rest, unicode.IsLetter) {
		return "", 0
	}
	return law.ArticleNumber(letter + ". " + l.text[at+m[4]:at+m[5]]), end
}
