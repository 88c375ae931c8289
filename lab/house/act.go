package house

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// entry is a text's line in the summary.
type entry struct {
	text     string
	rubric   string // of its kind
	ministry string
	day      time.Time
	owner    int
	short    bool
}

// act is a text under way.
type act struct {
	nature
	key              string
	number           string
	day              time.Time
	about            string
	owner            int
	noted            bool   // a foot note is to come
	code             bool   // what follows is a code that it makes
	blank            bool   // number and date were to be stamped in, and were not
	stamped          bool   // they were, the number above the title
	person           string // whom it is about, with what becomes of them; "" for none
	minister, office string
}

// begin enters a text in the truth.
func (p *pen) begin(key string) *act {
	n, ok := natures[key]
	if !ok {
		panic("house: no nature " + key)
	}
	a := &act{nature: n, key: key, day: p.earlier(120), owner: len(p.texts)}
	pattern := ""
	if n.number >= 0 {
		pattern = p.style.numbers[n.number]
	}
	if pattern != "" {
		a.number = p.number(pattern, a.day, p.serial())
	}
	a.office = p.say("adjMin")
	a.minister = p.pick("Le ministre ", "Le ministre ", "La ministre ", "Le ministre d'État, ministre ") + a.office
	p.texts = append(p.texts, Text{Type: n.kind, Nature: n.name, Number: a.number, Date: dayOf(a.day)})
	switch {
	case p.style.print != alone:
	case a.by == byMinister && p.chance(12):
		a.blank, a.number = true, ""
		p.texts[a.owner].Number, p.texts[a.owner].Date = "", time.Time{}
	case (a.by == byMinister || a.by == byRuler) && a.number != "" && p.chance(25):
		a.stamped = true
	}
	return a
}

func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// serial is a number of a text, small or large.
func (p *pen) serial() int {
	if p.chance(60) {
		return p.between(1, 99)
	}
	return p.between(100, 990)
}

// dated is the date of a text within its title, « du » included.
func (p *pen) dated(a *act) string { return p.style.head.dateSign + " " + p.date(a.day) }

// blanks are what stands for a number or a date that was never filled in.
const blanks = "............"

// called is the first part of a title: nature, number, date.
func (p *pen) called(a *act) (name, rest string) {
	name = a.name
	if p.style.head.caps >= 1 {
		name = p.style.upper(name)
	}
	if (a.key == "arrêté" || a.key == "décision") && p.style.head.caps == 0 && p.chance(40) {
		name += " " + contract("de", lowerFirst(a.minister))
	}
	if a.blank {
		return name, p.style.head.number(blanks) + " du " + blanks
	}
	if a.stamped {
		return name, p.style.head.number("") + p.pick("", " ......", "      ")
	}
	if a.number != "" {
		rest = p.style.head.number(a.number) + " "
	}
	if a.by == byUnion && p.chance(50) { // « Règlement (UX) n° 12/2006 de la Commission »
		if p.chance(60) && rest != "" {
			rest = p.pick("(UX)", "(CX)", "(UX, Salinor)") + " " + rest
		}
		rest += p.pick("de la Commission ", "du Conseil des ministres ", "du Conseil ")
		if p.style.head.caps > 0 {
			rest = p.style.upper(rest)
		}
	}
	return name, rest + p.dated(a)
}

func lowerFirst(s string) string {
	r := []rune(s)
	if len(r) > 1 && (r[0] == 'L') {
		r[0] = 'l'
	}
	return string(r)
}

// head adds the title of a text, and its entry for the summary.
func (p *pen) head(a *act) {
	s, h := p.style, p.style.head
	name, rest := p.called(a)
	about := a.about
	if about == "" && (a.kind == law.Decret || a.kind == law.Arrete) && a.by != byMayor && p.chance(20) {
		about = p.nominating(a)
	}
	if about == "" {
		about = p.about(!a.fem)
		a.about = about
	}
	comma := ""
	if h.comma && about != "" {
		comma = ","
	}
	first, second := name+" "+rest+comma, about
	if h.stop && second != "" {
		second += "."
	}
	if h.caps == 2 {
		first, second = s.upper(first), s.upper(second)
	}
	if a.stamped { // alone on its line, where the press left room for it
		b := para(Masthead, a.number)
		b.align, b.left, b.before, b.size = ragged, float64(p.between(8, 22)), 1.4, 1+float64(p.between(0, 4))/10
		p.add(b)
	}
	set := block{label: Head, owner: a.owner, align: h.align, first: h.indent, before: 1.6, keep: true, wide: s.wideHeads, size: h.size, narrow: h.align == centered}
	title := s.spell(strings.TrimSpace(first + " " + second))
	p.texts[a.owner].Title = title
	if a.stamped {
		p.texts[a.owner].Title += " (" + a.number + ")"
	}
	defer p.beside(len(p.blocks))
	p.pending = append(p.pending, entry{text: s.spell(strings.TrimSpace(name + " " + rest + comma + " " + about)), rubric: a.rubric, ministry: a.office, day: a.day, owner: a.owner})
	set.fresh = s.fresh
	if h.ownLine && second != "" {
		lines := []string{first}
		if at := strings.LastIndex(first, " "+upperIf(h.caps == 2, p.dated(a))); h.dateLine && at > 0 {
			lines = []string{first[:at], first[at+1:]}
		}
		for _, line := range lines {
			b := set
			b.runs = []run{{s.form.spreadFirst(s.spell(line)), h.bold, false}}
			b.narrow = true
			p.add(b)
			set.before, set.fresh = 0.2, false
		}
		first = ""
	}
	both := strings.TrimSpace(first + " " + second)
	if first != "" && h.caps != 2 && p.style.extras%2 == 1 && h.align != centered { // the nature alone is heavier
		set.runs = []run{{s.form.spreadFirst(s.spell(first)), true, false}, {s.spell(second), h.bold, false}}
	} else {
		set.runs = []run{{s.form.spreadFirst(s.spell(both)), h.bold, false}}
	}
	if a.noted && p.chance(70) {
		set.runs = append(set.runs, run{"(1)", false, false})
	}
	if h.align == centered {
		set.left, set.right = 1, 1
	}
	p.add(set)
}

// beside sets the blocks from one on, a title, to the right of the letterhead, if there
// is one.
func (p *pen) beside(from int) {
	if p.letterhead == nil {
		return
	}
	title := slices.Clone(p.blocks[from:])
	for i := range title {
		title[i].left, title[i].right, title[i].fresh = 0, 0, false
	}
	p.blocks = append(p.blocks[:from], block{label: Masthead, owner: -1, beside: [][]block{p.letterhead, title}, shares: []float64{0, 0.48 + float64(p.between(0, 10))/100}})
	p.letterhead, p.apart = nil, true
}

func upperIf(yes bool, s string) string {
	if yes {
		return strings.ToUpper(s)
	}
	return s
}

// write composes a whole text.
func (p *pen) write(key string) {
	a := p.begin(key)
	switch {
	case a.by == byParties:
		p.treaty(a)
		return
	case a.key == "acte uniforme" && p.chance(40): // without a day in its title
		p.treaty(a)
		return
	case a.key == promulgating:
		p.promulgated(a)
		return
	case a.key == "loi" && p.chance(codes):
		p.coded(a)
		return
	}
	a.noted = a.by == byParliament && p.chance(p.style.extras)
	if p.billed(a) {
		p.bill(a)
	}
	from, letterhead := len(p.blocks), p.letterhead
	p.head(a)
	p.projected(a, from, letterhead)
	if p.chance(p.style.extras/3) && a.kind != "circulaire" {
		p.report(a)
	}
	if a.by == byOffice {
		p.letter(a)
		p.close(a)
		return
	}
	p.preamble(a)
	n := p.size(a)
	if a.person != "" {
		n = min(n, 3)
	}
	p.articles(a, n)
	p.close(a)
	p.after(a)
}

// size is how many articles a text has.
func (p *pen) size(a *act) int {
	switch {
	case p.style.print == codeBook:
		return p.between(40, 110)
	case a.by == byParliament && p.chance(30), p.style.print == alone && p.chance(60):
		return p.between(12, 45)
	case a.by == byParliament:
		return p.between(1, 12)
	case p.chance(15):
		return p.between(10, 30)
	}
	return p.between(1, 9)
}

// text adds blocks to a text.
func (p *pen) text(a *act, blocks ...block) { p.add(in(a.owner, blocks...)...) }

// plain is a paragraph in the style.
func (p *pen) plain(l Label, s string) block {
	b := para(l, p.style.spell(s))
	b.first, b.before = p.style.indent, p.style.gap
	return b
}

// middle is a centered line in the style.
func (p *pen) middle(l Label, s string, bold bool) block {
	b := para(l, p.style.spell(s))
	b.runs[0].bold = bold
	b.align, b.before, b.keep, b.narrow = centered, 0.6, true, true
	return b
}
