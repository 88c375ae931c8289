package french

import (
	"fmt"
	"strconv"
)

// date reads « 3 mai 2010 », « 1er mars 2020 », « 03/05/2010 », « 2010-05-03 ».
// The year is a token too, for « la loi de 2010 ».
func (p *parser) date(i int) int {
	if i+2 >= len(p.lexes) {
		return 0
	}
	a, b, c := p.lexes[i], p.lexes[i+1], p.lexes[i+2]
	day, ok := dayOf(a.word)
	switch {
	case c.shape != digits:
		return 0
	case ok && b.role == month && p.gap(i+1) == spaceGap && p.gap(i+2) == spaceGap && isYear(c.word):
		return p.emitDate(i, c.value, b.value, day)
	case b.shape != digits:
		return 0
	}
	gap := p.gap(i + 1)
	if gap != p.gap(i+2) || gap != slashGap && gap != hyphenGap && gap != dotGap {
		return 0
	}
	switch {
	case ok && isYear(c.word) && b.value >= 1 && b.value <= 12 && len(b.fold) <= 2:
		return p.emitDate(i, c.value, b.value, day)
	case isYear(a.word) && gap == hyphenGap && len(b.fold) == 2 && len(c.fold) == 2 &&
		b.value >= 1 && b.value <= 12 && c.value >= 1 && c.value <= 31:
		return p.emitDate(i, a.value, b.value, c.value)
	}
	return 0
}

func (p *parser) emitDate(i int, year, month, day int64) int {
	p.emit(i, 3, Date, fmt.Sprintf("%04d-%02d-%02d", year, month, day))
	last := p.out[len(p.out)-1]
	p.out = append(p.out, Token{Term: strconv.FormatInt(year, 10), Start: last.Start, End: last.End, Kind: Number, Stop: true})
	return 3
}

func dayOf(w *word) (int64, bool) {
	if w.shape == digits && len(w.fold) <= 2 && w.value >= 1 && w.value <= 31 {
		return w.value, true
	}
	return 1, w.fold == "1er"
}

func isYear(w *word) bool {
	return w.shape == digits && len(w.fold) == 4 && w.value >= 1500 && w.value < 2200
}
