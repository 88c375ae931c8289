package house

import (
	"fmt"
	"math/rand/v2"
)

// Drawn is a style whose parts are each taken from one of the made styles, and a
// few changed: as many styles as there are seeds. The same seed gives the same.
func Drawn(seed uint64) Style {
	rng := rand.New(rand.NewPCG(seed, 0x5354594c45))
	made := Styles()
	from := func() *Style { return &made[rng.IntN(len(made))] }
	s := *from() // what it prints, how it numbers and names that
	s.Name = fmt.Sprintf("drawn-%d", seed)
	s.setting(from())
	s.spelling(from())
	if issue := from(); s.print == gazette && issue.print == gazette {
		s.mast, s.heads, s.summary, s.parts, s.rubric = issue.mast, issue.heads, issue.summary, issue.parts, issue.rubric
	}
	if order := from(); s.print == gazette {
		s.kinds, s.ministries, s.general = order.kinds, order.ministries, order.general
		s.notices = order.notices
	}
	s.head = from().head
	lettered := s.article.lettered
	s.article = from().article
	s.article.lettered = lettered // only a code counts with a letter
	s.division, s.visas, s.sign = rng.IntN(6), from().visas, from().sign
	if other := from(); len(s.abridged) > 0 && len(other.abridged) > 0 {
		s.abridged = other.abridged
	}
	s.numbers = from().numbers
	s.extras, s.amending = from().extras, from().amending
	s.wideHeads = s.columns > 1 && s.language == 0 && rng.IntN(6) == 0
	if rng.IntN(8) == 0 && s.print == gazette {
		s.print, s.mast = extract, noMast
	}
	return s
}

// setting takes how another style sets its pages.
func (s *Style) setting(o *Style) {
	s.page, s.margin, s.top, s.bottom, s.columns, s.gutter = o.page, o.margin, o.top, o.bottom, o.columns, o.gutter
	s.size, s.leading, s.width = o.size, o.leading, o.width
	s.typewriter, s.loose, s.justify, s.hyphens, s.indent, s.gap = o.typewriter, o.loose, o.justify, o.hyphens, o.indent, o.gap
	s.language = 0
	if o.print == gazette && s.print == gazette {
		s.language = o.language
	}
}

// spelling takes the letters of another style.
func (s *Style) spelling(o *Style) {
	s.accented, s.curly, s.quotes, s.bold, s.bigMonths = o.accented, o.curly, o.quotes, o.bold, o.bigMonths
	s.thousands, s.dates, s.person, s.years = o.thousands, o.dates, o.person, o.years
}
