package house

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// Form is one thing that issues may be made with beside what their styles print. No style
// has one: what is learned from made issues was made without them, and the same issue can
// be held with and without a form, since a form draws from a chance of its own. The last
// six are what styles print too, more often: they measure it.
type Form string

// The forms.
const (
	Beside Form = "signatures" // two or three who sign stand beside each other, offices over names
	Column Form = "table"      // tables stand within one column, text beside them
	Banner Form = "banner"     // tables over all columns stand in the middle of texts
	Torn   Form = "torn"       // titles, heads of articles and signatures end where the column ends
	Below  Form = "below"      // the number of an article stands on the line below its word
	Spread Form = "spread"     // the words of heads are set with spaces between their letters

	// What the styles have now and then, and these forms have wherever it may stand.
	Reworded  Form = "reworded"  // articles give several articles of another text new words
	Motives   Form = "motives"   // a text printed alone stands behind its bill: title, reasons, title again
	Across    Form = "across"    // annexes are set over all columns
	Projected Form = "projected" // a text of the government printed alone stands behind the report on its draft
	Counted   Form = "counted"   // articles count with a letter or by parts: « L. 1 », « 3-1 »
	Applying  Form = "applying"  // acts in short name members « en application de l'article 9 du décret n° … portant … »
)

// Forms lists the forms that set the same texts in another way.
func Forms() []Form { return []Form{Beside, Column, Banner, Torn, Below, Spread, Across} }

// often is percent of chance, and certain of an issue that is made with the form.
func (p *pen) often(f Form, percent int) bool {
	drawn := p.chance(percent)
	return drawn || p.style.form == f
}

// With is a style with a form.
func (s Style) With(f Form) Style {
	s.form = f
	return s
}

// ownChance is a source of chance for what forms add, beside the issue's own.
func ownChance(f Form, seed uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(f)) // a hash cannot fail
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// apartFrom runs what a form adds: it draws from the form's own chance, so that all else
// of the issue is as it would be without it.
func (p *pen) apartFrom(write func()) { p.drawingFrom(p.own, write) }

// drawingFrom runs what draws from another chance than the issue's.
func (p *pen) drawingFrom(chance *rand.Rand, write func()) {
	issues := p.rng
	p.rng = chance
	write()
	p.rng = issues
}

// rowOfSigners sets all who sign in rows of two or three; at least two sign.
func (p *pen) rowOfSigners(a *act, list []signer) {
	p.apartFrom(func() {
		for len(list) < 2 || len(list) < 4 && p.chance(40) {
			list = append(list, signer{capital(p.minister()), p.name()})
		}
		for len(list) > 0 {
			n := min(len(list), p.between(2, 3))
			row := block{label: Signature, before: 0.8}
			for i, one := range list[:n] {
				row.beside = append(row.beside, p.signature(one, false))
				row.shares = append(row.shares, float64(i)/float64(n))
			}
			p.text(a, row)
			list = list[n:]
		}
	})
}

// between articles a form may set a table.
func (p *pen) betweenArticles(a *act) {
	p.apartFrom(func() {
		switch {
		case p.style.form == Column && p.chance(25):
			p.schedule(a, p.between(3, 12), false)
		case p.style.form == Banner && p.style.columns > 1 && p.chance(20):
			p.schedule(a, p.between(3, 8), true)
		}
	})
}

// schedule is a table of two or three columns, of which one has cells of several lines:
// what is due when, what costs how much.
func (p *pen) schedule(a *act, rows int, wide bool) {
	b := block{label: Table, before: 0.8, wide: wide, size: 0.95}
	last := p.chance(40)
	heads := []string{p.pick("ÂGE", "DATE", "GRADE", "CODE", "ZONE"), p.pick("DÉSIGNATION", "OPÉRATIONS", "PIÈCES À FOURNIR", "NATURE DES TRAVAUX")}
	b.edges = []float64{0.02, 0.3}
	if last {
		heads, b.edges = append(heads, p.pick("TAUX", "NOMBRE", "DURÉE")), append(b.edges, 0.8)
	}
	b.cells = append(b.cells, heads)
	for range rows {
		what := p.say("objet")
		for p.chance(50) {
			what += ", " + p.say("objet")
		}
		cells := []string{p.slot("n", "1-90") + p.pick("", " mois", " jours", " ans", " %"), p.style.spell(capital(what))}
		if last {
			cells = append(cells, p.slot("n", "1-99"))
		}
		b.cells = append(b.cells, cells)
	}
	p.text(a, b)
}

// below parts the head of an article from its number, which begins the line of the text.
func (f Form) below(b block) []block {
	first, rest := b, b
	word, number, ok := strings.Cut(b.runs[0].text, " ")
	if f != Below || !ok {
		return []block{b}
	}
	first.runs = []run{b.runs[0]}
	first.runs[0].text = word
	first.keep, first.align, first.first = true, centered, 0
	rest.runs = append([]run{b.runs[0]}, b.runs[1:]...)
	rest.runs[0].text = number
	rest.label, rest.article, rest.before = Paragraph, "", 0.1
	return []block{first, rest}
}

// thin is the space between the letters of a word that is set so.
const thin = "\u2009"

// spread sets a word with a space behind each of its letters; what is cut short (« Art. »)
// is not set so.
func (f Form) spread(word string) string {
	if f != Spread || strings.Contains(word, ".") {
		return word
	}
	return strings.Join(strings.Split(word, ""), thin)
}

// spreadFirst sets the first word of a title so.
func (f Form) spreadFirst(title string) string {
	word, rest, ok := strings.Cut(title, " ")
	if !ok {
		return f.spread(title)
	}
	return f.spread(word) + " " + rest
}
