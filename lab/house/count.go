package house

import "strconv"

// count is how a text numbers its articles: 1, 2, 3, where it has neither a letter nor parts.
type count struct {
	letter  string // « L », of codes
	joint   string // between the letter and the number
	loose   bool   // the joint differs from article to article
	parts   int    // articles of each part: « L. 12-3 », « 3-1 »; 0 for one count throughout
	from    int    // the number of the first part
	ordinal bool   // the first is « L. 1er »
	again   int    // the article from which on the count begins again with another letter, 0 for none
	heading string // above it
}

// How often texts count otherwise than 1, 2, 3, in percent: codes, laws printed alone, laws.
const (
	countedCodes = 35
	countedAlone = 10
	countedLaws  = 5
)

// countOf draws how a text counts its n articles. It draws from a chance of its own: the
// words of the text are the same however its articles are numbered.
func (p *pen) countOf(a *act, n int) (c count) {
	percent := 0
	switch code := a.key == "code" || a.code; {
	case code && p.style.article.lettered:
		percent = 100
	case code:
		percent = countedCodes
	case a.by == byParliament && n >= 4 && p.style.print == alone:
		percent = countedAlone
	case a.by == byParliament && n >= 4:
		percent = countedLaws
	}
	p.drawingFrom(p.count, func() {
		drawn := p.chance(percent)
		if drawn || percent > 0 && p.style.form == Counted {
			c = p.drawCount(n, percent >= countedCodes)
		}
	})
	return c
}

// drawCount draws a count with a letter or by parts, a code's mostly with a letter.
func (p *pen) drawCount(n int, code bool) count {
	lettered := 40
	if code {
		lettered = 85
	}
	c := count{joint: p.pick(". ", ". ", ".", "", " "), loose: p.chance(20), from: 1}
	if p.chance(lettered) {
		c.letter = p.pick("L", "L", "L", "R", "D", "A")
	}
	if c.letter == "" || p.chance(50) {
		c.parts = p.between(2, 12)
		if code && p.chance(35) { // book, title and chapter: « L. 111-1 »
			c.from = 111
		}
	}
	c.ordinal = c.parts == 0 && p.chance(30)
	if c.letter == "L" && n >= 20 && p.chance(30) {
		c.again, c.heading = p.between(n/2, n-4), p.pick("PARTIE RÉGLEMENTAIRE", "DEUXIÈME PARTIE\nDISPOSITIONS RÉGLEMENTAIRES", "Partie réglementaire")
	}
	return c
}

// counted is the number of the i-th article of a text that counts so.
func (p *pen) counted(i int, c count) string {
	letter, joint := c.letter, c.joint
	if c.again > 0 && i >= c.again {
		letter, i = "R", i-c.again+1
	}
	if c.loose {
		p.drawingFrom(p.count, func() { joint = p.pick(". ", ".", "", joint) })
	}
	if letter == "" {
		joint = ""
	}
	number := strconv.Itoa(i)
	switch {
	case c.parts > 0:
		number = strconv.Itoa(c.from+(i-1)/c.parts) + "-" + strconv.Itoa((i-1)%c.parts+1)
	case i == 1 && c.ordinal:
		number = "1er"
	}
	return letter + joint + number
}

// insertions are what articles that were put in between two others have behind the number
// of the first.
func (p *pen) insertions() []string {
	suffixes := []string{" bis", " ter", " quater"}
	p.drawingFrom(p.count, func() {
		if p.chance(40) {
			suffixes = []string{"-1", "-2", "-3"}
		}
	})
	return suffixes
}
