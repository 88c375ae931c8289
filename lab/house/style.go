package house

import (
	"math/rand/v2"
	"strings"
)

// Style is a house style: how a gazette, or who prints laws alone, sets and words
// what it prints. Styles gives the made ones, Drawn as many more as are wanted.
type Style struct {
	Name string

	// The page, in points.
	page                 [2]float64
	margin, top, bottom  float64
	columns              int
	gutter               float64
	size, leading, width float64 // of letters; line height as a share of it; how wide the face is
	typewriter           bool    // one width for all letters
	loose                bool    // spaces are not tied: lines may begin with « ; »
	justify, hyphens     bool
	indent, gap          float64 // of a paragraph's first line; above a paragraph, in sizes

	// Letters.
	accented  bool // capitals keep their accents
	curly     bool // ’
	quotes    int  // « », “ ”, " "
	bold      bool // headings are bold
	bigMonths bool
	thousands string
	dates     int // plain, matching, brackets
	person    int
	years     [2]int
	gazette   string // « Journal officiel »

	// The issue.
	print      product
	mast       mast
	heads      int
	summary    summaryForm
	parts      bool   // PARTIE OFFICIELLE
	kinds      bool   // rubrics by kind of text
	ministries int    // rubrics by ministry: 0 none, 1 under the kinds, 2 above them
	general    bool   // TEXTES GÉNÉRAUX, TEXTES PARTICULIERS
	rubric     [3]int // align (0 centered, 1 left), capitals, around (0 none, 1 dashes, 2 rule)
	wideHeads  bool   // titles of texts over all columns
	language   int    // of the other side: 0 none, 1 English, 2 Arabic
	notices    int    // percent of issues that have any
	flood      int    // so many times as many announcements as elsewhere, 0 for one
	fewNotices bool   // three announcements at most
	announced  int    // percent of notices that are announcements of several paragraphs
	tabled     bool   // texts end in tables over pages
	fresh      bool   // each text begins a page
	texts      [2]int // how many in full
	short      [2]int // how many abridged

	// Texts.
	head     headForm
	article  articleForm
	division int
	visas    visaForm
	sign     signForm
	abridged []int     // forms
	numbers  [3]string // patterns: laws, decrees, orders; "" for none
	natures  []string
	extras   int // percent of texts that have an annex, a table, a report, a foot note
	amending int // percent of texts that quote articles of others

	form Form // what it is made with beside all this, "" for nothing
}

// product is what is printed.
type product int

const (
	gazette  product = iota
	extract          // pages of an issue, from mid-text to mid-text
	alone            // one text
	codeBook         // a code with a table of contents
	webPage          // one text as a browser prints it
)

// headForm is how the title of a text is set.
type headForm struct {
	align    align
	bold     bool
	caps     int    // 0 as written, 1 the nature, 2 all of it
	ownLine  bool   // nature, number and date on a line of their own
	dateLine bool   // the date on one more
	sign     string // « n° »
	comma    bool   // « du 7 mars 1994, portant »
	indent   float64
	dateSign string // between number and date: « du »
	stop     bool   // a full stop at its end
	size     float64
}

// number is a text's number behind its sign, which may stand close to it.
func (h headForm) number(n string) string {
	if close, is := strings.CutSuffix(h.sign, "+"); is {
		return close + n
	}
	return strings.TrimSpace(h.sign + " " + n)
}

// articleForm is how an article begins.
type articleForm struct {
	word     string // « Art. »
	first    string // « 1er »
	only     string // « unique »
	after    string // « . - »
	one      string // word of the first: « Article », "" for the same
	ownLine  bool
	bold     bool
	caps     bool
	titled   bool // « Article 5 : Objet »
	centered bool
	lettered bool // codes count with a letter: « L. 12-3 »
}

// visaForm is how the visas are set.
type visaForm struct {
	end      string // « ; » with its space
	last     string
	place    int // the authority: 0 before the visas, 1 after them
	centered bool
	formula  int // DÉCRÈTE : / Décrète : / d é c r è t e
	dash     bool
	short    bool // few
}

// signForm is how texts end.
type signForm struct {
	place  align
	under  bool // the place stands under the signatures
	beside bool // signatures side by side
	align  align
	by     bool // « Par le Président de la République : »
}

// vary moves the measures of a style a little, as they move from year to year.
func (s *Style) vary(rng *rand.Rand) {
	wobble := func(x *float64, share float64) { *x *= 1 + share*(2*rng.Float64()-1) }
	wobble(&s.size, 0.06)
	wobble(&s.leading, 0.04)
	wobble(&s.width, 0.04)
	wobble(&s.margin, 0.12)
	wobble(&s.gap, 0.4)
	wobble(&s.top, 0.05)
	if s.indent > 0 {
		wobble(&s.indent, 0.3)
	}
}
