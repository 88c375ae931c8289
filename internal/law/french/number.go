package french

import (
	"strconv"
	"strings"
)

// number reads a number in digits: « 1.000.000 », « 1 000 000 », « 1,5 », « 12 ».
func (p *parser) number(i int) int {
	value, n := p.readGrouped(i)
	if i+n < len(p.lexes) && p.lexes[i+n].shape == digits {
		next := p.lexes[i+n]
		gap := p.gap(i + n)
		// « 1.5 » is a decimal number, but « 1.5.2 » is the number of a paragraph.
		alone := i+n+1 >= len(p.lexes) || p.gap(i+n+1) != dotGap || p.lexes[i+n+1].shape != digits
		if gap == commaGap || gap == dotGap && n == 1 && alone && p.gap(i) != dotGap {
			if fraction := strings.TrimRight(next.fold, "0"); fraction != "" {
				value += "." + fraction
			}
			n++
		}
	}
	if n == 1 && i+1 < len(p.lexes) && p.gap(i+1) == spaceGap && ordinalEnding(p.lexes[i+1].fold) {
		p.emit(i, 2, Ordinal, value+"e") // « 13 ème »
		return 2
	}
	p.emit(i, n, Number, value)
	return n
}

// readGrouped reads digits, with or without separators between groups of three.
func (p *parser) readGrouped(i int) (value string, n int) {
	x := p.lexes[i]
	value, n = trimZeros(x.fold), 1
	if len(x.fold) > 3 || x.fold[0] == '0' {
		return value, n
	}
	var separator gapKind
	for n < mostParts && i+n < len(p.lexes) {
		next := p.lexes[i+n]
		gap := p.gap(i + n)
		if next.shape != digits || len(next.fold) != 3 || gap != spaceGap && gap != dotGap || n > 1 && gap != separator {
			break
		}
		separator = gap
		value += next.fold
		n++
	}
	return value, n
}

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" {
		return t
	}
	return "0"
}

func ordinalEnding(s string) bool {
	switch s {
	case "er", "ere", "eme", "ieme", "nd", "nde":
		return true
	}
	return false
}

// readMixed reads « 13e », « 1er » and « 20h ». Other mixtures of letters and digits are words.
func (p *parser) readMixed(i int) int {
	x := p.lexes[i]
	cut := strings.IndexFunc(x.fold, func(r rune) bool { return r < '0' || r > '9' })
	if cut <= 0 {
		return p.word(i)
	}
	head, tail := x.fold[:cut], x.fold[cut:]
	switch {
	case ordinalEnding(tail) || tail == "e" || tail == "o" || tail == "me" || tail == "re":
		p.emit(i, 1, Ordinal, trimZeros(head)+"e")
	case shapeOf(tail) == letters && len(x.fold) == x.end-x.start:
		p.out = append(p.out, Token{Term: trimZeros(head), Start: x.start, End: x.start + cut, Kind: Number})
		if tail == "h" {
			tail = "heure"
		}
		w := newWord(tail)
		p.out = append(p.out, Token{Term: w.stem, Start: x.start + cut, End: x.end, Kind: Word, Stop: w.stop})
	default:
		return p.word(i)
	}
	return 1
}

// numberWords reads numbers in words: « vingt-cinq », « deux cent mille », « un million »,
// and « un » in « un mois ». « trois (3) » is one number.
func (p *parser) numberWords(i int) int {
	if p.lexes[i].role == one && !p.countsOne(i) {
		return 0
	}
	value, n := p.readSpelled(i)
	if n == 0 {
		return 0
	}
	term := strconv.FormatInt(value, 10)
	p.emit(i, n, Number, term)
	if i+n < len(p.lexes) && p.gap(i+n) == openGap && p.lexes[i+n].shape == digits {
		if again, m := p.readGrouped(i + n); again == term {
			p.out[len(p.out)-1].End = p.lexes[i+n+m-1].end
			n += m
		}
	}
	return n
}

// countsOne reports whether « un » is a number and not an article: « un mois », « un
// million », « un (1) ».
func (p *parser) countsOne(i int) bool {
	if i+1 >= len(p.lexes) {
		return false
	}
	next, gap := p.lexes[i+1], p.gap(i+1)
	return gap == spaceGap && next.role == measure || inNumber(gap) && next.role == thousand && next.value > 1000 ||
		gap == openGap && next.fold == "1"
}

// readSpelled reads a number in words.
func (p *parser) readSpelled(i int) (value int64, n int) {
	const most = 1 << 40 // a longer series of « mille » is not a number
	var total, group int64
	for j := i; j < len(p.lexes); j++ {
		x := p.lexes[j]
		if j > i {
			gap := p.gap(j)
			if inNumber(gap) && x.fold == "et" && p.joins(j) {
				continue
			}
			if !inNumber(gap) || x.role == one && p.lexes[j-1].fold != "et" && !holdsOne(total, group) {
				break
			}
		}
		switch {
		case x.role == unit && x.value == 20 && group%10 == 4 && (group%100 == 4):
			group += 76 // « quatre-vingt » becomes 80
		case (x.role == unit || x.role == one) && fits(group, x.value):
			group += x.value
		case x.role == hundred && group < 10:
			group = max(group, 1) * 100
		case x.role == thousand && (group > 0 || x.value == 1000) && total < most:
			total += max(group, 1) * x.value
			group = 0
		default:
			return total + group, j - i
		}
		n = j - i + 1
	}
	return total + group, n
}

// holdsOne reports whether « un » can continue a number without « et »: « cent un »,
// « quatre-vingt-un », « mille un », but not « cinq un ».
func holdsOne(total, group int64) bool { return group >= 20 || group == 0 && total > 0 }

// inNumber reports whether a gap may separate the words of a number: a blank, or the hyphen
// of the 1990 spelling.
func inNumber(g gapKind) bool { return g == spaceGap || g == hyphenGap }

// joins reports whether the « et » at j is inside a number: « vingt et un »,
// « vingt-et-un ».
func (p *parser) joins(j int) bool {
	if j+1 >= len(p.lexes) || !inNumber(p.gap(j+1)) {
		return false
	}
	before, after := p.lexes[j-1], p.lexes[j+1]
	return before.role == unit && before.value >= 20 && (after.role == one || after.fold == "onze")
}

// fits reports whether v can follow a group: « vingt » then « cinq », « soixante »
// then « douze », but not « cinq » then « six ».
func fits(group, v int64) bool {
	switch rest := group % 100; {
	case rest == 0:
		return true
	case v < 10:
		return rest >= 20 && rest%10 == 0 || rest == 10 && v >= 7
	case v <= 16:
		return rest == 60 || rest == 80
	}
	return false
}
