package house

import (
	"reflect"
	"regexp"
	"slices"
	"sync"
	"testing"

	"vigueur/internal/gazette/layout"
)

// madePrint is a made issue as its lines are read.
type madePrint struct {
	Issue
	style Style
	lines []printLine
}

type printLine struct {
	layout.Line
	label Label
	owner int
	text  string
}

// prints are issues of every house style and of some drawn ones, arranged.
var prints = sync.OnceValue(func() []madePrint {
	styles := Styles()
	for seed := range uint64(4) {
		styles = append(styles, Drawn(seed))
	}
	var out []madePrint
	for _, s := range styles {
		n := uint64(2)
		if s.print == alone { // short, and each has a few of the things only
			n = 10
		}
		if s.print == codeBook {
			n = 20
		}
		for seed := range n {
			i := Make(s, 40+seed, Damage{})
			out = append(out, madePrint{i, s, arrangedLines(i)})
		}
	}
	return out
})

// arrangedLines arranges an issue and gives its lines.
func arrangedLines(i Issue) []printLine {
	layout.Arrange(i.Pages)
	var out []printLine
	for _, p := range i.Pages {
		for _, l := range slices.Concat(p.Lines, p.Aside) {
			if label, owner, ok := i.LineLabel(l); ok {
				out = append(out, printLine{l, label, owner, l.Text()})
			}
		}
	}
	return out
}

// has reports whether a line of a label reads so.
func (p madePrint) has(label Label, pattern string) bool {
	re := regexp.MustCompile(pattern)
	return slices.ContainsFunc(p.lines, func(l printLine) bool { return l.label == label && re.MatchString(l.text) })
}

// text reports whether one text has lines of all labels.
func (p madePrint) text(labels ...Label) bool {
	for o := range p.Texts {
		if !slices.ContainsFunc(labels, func(want Label) bool {
			return !slices.ContainsFunc(p.lines, func(l printLine) bool { return l.owner == o && l.label == want })
		}) {
			return true
		}
	}
	return false
}

// columns reports whether a page has lines in so many columns.
func (p madePrint) columns(n int) bool {
	return slices.ContainsFunc(p.lines, func(l printLine) bool { return l.Column == n-1 && l.label != Masthead && l.label != Furniture })
}

// beside reports whether two pieces of a label stand on one page at one height, apart.
func (p madePrint) beside(a, b Label) bool {
	for i, one := range p.lines {
		for _, other := range p.lines[i+1:] {
			if one.Page == other.Page && (one.label == a && other.label == b || one.label == b && other.label == a) &&
				one.Rect[1] < other.Rect[3] && other.Rect[1] < one.Rect[3] && (one.Rect[2] < other.Rect[0] || other.Rect[2] < one.Rect[0]) {
				return true
			}
		}
	}
	return false
}

// gaping tells of a line of two signatures, with white space between them.
func (l printLine) gaping() bool {
	for k := 1; k < len(l.Words) && l.label == Signature; k++ {
		if l.Words[k].Rect[0]-l.Words[k-1].Rect[2] > 3*(l.Rect[3]-l.Rect[1]) {
			return true
		}
	}
	return false
}

// items are what gazettes have, by the words of those who asked for it.
var items = map[string]func(p madePrint) bool{
	"one column":                func(p madePrint) bool { return p.style.columns == 1 },
	"two columns":               func(p madePrint) bool { return p.style.columns == 2 && p.columns(2) },
	"three columns":             func(p madePrint) bool { return p.style.columns == 3 && p.columns(3) },
	"bilingual side by side":    func(p madePrint) bool { return p.style.language == english && p.beside(Notice, Paragraph) },
	"bilingual on facing pages": func(p madePrint) bool { return p.style.language == arabic && p.has(Notice, `\p{Arabic}{3}`) },
	"summary with leaders":      func(p madePrint) bool { return p.has(Summary, `\.{4,} *\d+$`) },
	"summary without leaders": func(p madePrint) bool {
		return p.style.summary.on && !p.style.summary.dots && p.has(Summary, `\p{L} *\d+$`)
	},
	"summary without pages": func(p madePrint) bool {
		return p.style.summary.on && p.style.summary.pages == 0 && p.has(Summary, `\p{L}$`)
	},
	"ministries as rubrics": func(p madePrint) bool { return p.has(Rubric, `(?i)^minist[èe]re`) },
	"acts in full":          func(p madePrint) bool { return p.text(Head, Visa, Formula, Article, Place, Signature) },
	"acts in short":         func(p madePrint) bool { return p.text(Abridged) && p.has(Abridged, `(?i)^(?:par )?(?:arr|d[ée]c)`) },
	"individual measures":   func(p madePrint) bool { return p.has(Paragraph, `est nommée? `) || p.has(Abridged, `est nommée? `) },
	"acts without number": func(p madePrint) bool {
		return slices.ContainsFunc(p.Texts, func(t Text) bool { return t.Number == "" && t.Nature == "Arrêté" && !t.Date.IsZero() })
	},
	"« Art. 1er »":          func(p madePrint) bool { return p.has(Article, `^(?:Art\.|Article) 1er`) },
	"« ARTICLE PREMIER.- »": func(p madePrint) bool { return p.has(Article, `^ARTICLE PREMIER ?\.-`) },
	"« Article unique »":    func(p madePrint) bool { return p.has(Article, `(?i)^article unique`) },
	"« Art. L. 12-3 (nouveau) »": func(p madePrint) bool {
		return p.has(Paragraph, `(?i)^[« ]*art(?:icle|\.) [LR]\. ?\d+-\d+ \(nouveau\)`)
	},
	"articles with a letter": func(p madePrint) bool { return p.has(Article, `^(?:Art\.|Article) L\. \d+-\d+`) },
	"« Art. L. 12 »":         func(p madePrint) bool { return p.has(Article, `^(?:Art\.|Article) L\. \d+(?:$|[^-\d])`) },
	"« Art. L.2 »":           func(p madePrint) bool { return p.has(Article, `^(?:Art\.|Article) L\.\d`) },
	"« Art. L3 »":            func(p madePrint) bool { return p.has(Article, `^(?:Art\.|Article) L\d`) },
	"« Art. L. 1er »":        func(p madePrint) bool { return p.has(Article, `(?i)^art(?:\.|icle) [LRDA] ?\.? ?1er`) },
	"« Art. R. 12 »":         func(p madePrint) bool { return p.has(Article, `(?i)^art(?:\.|icle) R ?\.? ?\d+`) },
	"« Art. 3-1 »":           func(p madePrint) bool { return p.has(Article, `(?i)^art(?:\.|icle) 3-1`) },
	"an article with a letter in line with its words": func(p madePrint) bool {
		return p.has(Article, `(?i)^art(?:\.|icle) [LR] ?\.? ?\d+[^\d]*\p{L}{2,} \p{L}{2,}`)
	},
	"own articles « bis »": func(p madePrint) bool { return p.has(Article, `^(?:Art\.|Article) \d+ (?:bis|ter)`) },
	"annexes":              func(p madePrint) bool { return p.has(Annex, `(?i)annexe`) },
	"tables":               func(p madePrint) bool { return p.text(Table) },
	"tables over pages":    func(p madePrint) bool { return p.tableOverPages() },
	"treaties in annex":    func(p madePrint) bool { return p.has(Annex, `^(?:ACCORD|CONVENTION|PROTOCOLE) ENTRE`) },
	"treaties without parties": func(p madePrint) bool {
		return p.has(Head, `(?i)^(?:traité|convention|protocole|accord|acte uniforme) (?:relati(?:f|ve)|sur) `)
	},
	"codes behind their law":        func(p madePrint) bool { return p.has(Division, `^CODE D`) },
	"legal notices":                 func(p madePrint) bool { return p.has(Notice, `(?i)jugement|notaire|immatriculation|soci[ée]t[ée]`) },
	"announcements":                 func(p madePrint) bool { return p.has(Notice, `(?i)appel d.offres|r[ée]c[ée]piss[ée]|avis de`) },
	"signatures side by side":       func(p madePrint) bool { return p.style.sign.beside && slices.ContainsFunc(p.lines, printLine.gaping) },
	"place beside, above or below":  func(p madePrint) bool { return p.has(Place, `, le \d`) },
	"notes on preparatory work":     func(p madePrint) bool { return p.has(Note, `(?i)travaux préparatoires`) },
	"running heads":                 func(p madePrint) bool { return p.has(Furniture, `\p{L}{4}`) },
	"folios":                        func(p madePrint) bool { return p.has(Furniture, `^\W*(?:page )?\d+\W*$`) },
	"dates by two calendars":        func(p madePrint) bool { return p.has(Head, `correspondant au`) },
	"the other date in brackets":    func(p madePrint) bool { return p.has(Head, `1[34]\d\d \(`) },
	"masthead with prices":          func(p madePrint) bool { return p.style.mast == boxed && p.has(Masthead, `(?i)abonnement|prix|an`) },
	"masthead of a name and a date": func(p madePrint) bool { return p.style.mast == spare && p.has(Masthead, `(?i)n° \d`) },
	"masthead with the state":       func(p madePrint) bool { return p.style.mast == stately && p.has(Masthead, `[A-ZÉ]{6}`) },
	"state beside the title":        func(p madePrint) bool { return p.beside(Masthead, Head) },
	"number stamped over the title": func(p madePrint) bool { return p.style.print == alone && p.has(Masthead, `^\S*\d\S*$`) },
	"corrections":                   func(p madePrint) bool { return p.has(Head, `(?i)^(?:rectificatif|erratum)`) },
	"a code's table of contents":    func(p madePrint) bool { return p.style.print == codeBook && p.has(Summary, `(?i)titre|chapitre|livre`) },
	"a code's law without brackets": func(p madePrint) bool {
		return p.style.print == codeBook && p.has(Head, `(?i)^(?:institué par|promulgué par|approuvé par|loi|ordonnance|d[ée]cret-loi|dahir) .*\d$`)
	},
	"several articles worded anew": func(p madePrint) bool {
		return p.has(Article, `(?i)articles? [^:]*\d+, \d+`) && p.has(Paragraph, `^(?:« )?(?:Art|ART)`)
	},
	"annexes over all columns": func(p madePrint) bool { return p.style.columns > 1 && p.annexAcross() },
	"pages out of an issue":    func(p madePrint) bool { return p.style.print == extract },
	"print of a web page":      func(p madePrint) bool { return p.style.print == webPage },
}

// annexAcross reports whether the head of an annex stands in the middle of the page.
func (p madePrint) annexAcross() bool {
	return slices.ContainsFunc(p.lines, func(l printLine) bool {
		middle := p.style.page[0] / 2
		return l.label == Annex && l.Rect[0] < middle && l.Rect[2] > middle
	})
}

// tableOverPages reports whether a text's table stands on two pages.
func (p madePrint) tableOverPages() bool {
	first := map[int]int{}
	for _, l := range p.lines {
		if l.label != Table || l.owner < 0 {
			continue
		}
		if at, ok := first[l.owner]; ok && at != l.Page {
			return true
		}
		first[l.owner] = l.Page
	}
	return false
}

// leastStyles is how many house styles there are to be.
const leastStyles = 15

// TestEveryItemIsPrinted: what gazettes have, the made ones have.
func TestEveryItemIsPrinted(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, s := range Styles() {
		names[s.Name] = true
	}
	if len(names) < leastStyles || len(names) != len(Styles()) {
		t.Errorf("%d names of %d styles", len(names), len(Styles()))
	}
	for name, printed := range items {
		if !slices.ContainsFunc(prints(), printed) {
			t.Errorf("no issue has %s", name)
		}
	}
}

// TestRunningHeadsOfEveryKind: the styles use all that are made.
func TestRunningHeadsOfEveryKind(t *testing.T) {
	t.Parallel()
	kinds := map[int]bool{}
	for _, s := range Styles() {
		kinds[s.heads] = true
	}
	if len(kinds) < 8 {
		t.Errorf("running heads of %d kinds", len(kinds))
	}
}

// TestEveryDamageDamages: each kind of damage alone changes pages, and is drawn for those
// that a model learns from. Not drawn are those that came after what was learned, beside it:
// pages with broken fonts, which are recognized before a model sees them, boxes of
// recognized lines that are too high, and letters over two lines.
func TestEveryDamageDamages(t *testing.T) {
	t.Parallel()
	kinds := reflect.TypeFor[Damage]()
	clean, recognized := Make(Styles()[0], 3, Damage{}), Make(Styles()[0], 3, Damage{OCR: true})
	for k := range kinds.NumField() {
		var d Damage
		switch f := reflect.ValueOf(&d).Elem().Field(k); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		default:
			f.SetFloat(1)
		}
		without := clean
		if d.Tall > 0 { // of recognized lines only
			d.OCR, without = true, recognized
		}
		if reflect.DeepEqual(Make(Styles()[0], 3, d).Pages, without.Pages) {
			t.Errorf("%s changes nothing", kinds.Field(k).Name)
		}
		drawn := 0
		for seed := range uint64(100) {
			if !reflect.ValueOf(Worn(seed)).Field(k).IsZero() {
				drawn++
			}
		}
		if beside := d.Fonts > 0 || d.Ligatures > 0 || d.Tall > 0; drawn < 5 && !beside {
			t.Errorf("%s is drawn for %d of 100 issues", kinds.Field(k).Name, drawn)
		}
	}
}
