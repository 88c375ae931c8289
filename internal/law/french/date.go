package french

import (
	"strconv"
	"time"

	"vigueur/internal/law"
)

// dateLexemes is the maximum number of lexemes in a date: « 1 er mars 2020 ».
const dateLexemes = 4

// date reads a date in any of the forms of law.DateAt: « 3 mai 2010 », « premier mars
// 2020 », « 03/05/2010 », « 2010-05-03 ». The year becomes a token, too, so that « la loi
// de 2010 » matches.
func (p *parser) date(i int) int {
	if !p.mayBeDate(i) {
		return 0
	}
	start := p.lexes[i].start
	date, length, ok := law.DateAt(p.text[start:])
	if !ok {
		return 0
	}
	for n := 1; n <= dateLexemes && i+n <= len(p.lexes); n++ {
		if p.lexes[i+n-1].end == start+length {
			return p.emitDate(i, n, date)
		}
	}
	return 0 // the date ends inside a lexeme
}

// mayBeDate is a cheap check whether a date may begin at lexeme i.
func (p *parser) mayBeDate(i int) bool {
	if i+2 >= len(p.lexes) {
		return false
	}
	next := p.lexes[i+1]
	return next.role == month || next.shape == digits && p.lexes[i].shape == digits || next.fold == "er"
}

func (p *parser) emitDate(i, n int, date time.Time) int {
	p.emit(i, n, Date, date.Format(time.DateOnly))
	last := p.out[len(p.out)-1]
	p.out = append(p.out, Token{Term: strconv.Itoa(date.Year()), Start: last.Start, End: last.End, Kind: Number, Stop: true})
	return n
}
