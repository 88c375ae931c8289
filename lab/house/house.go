// Package house makes gazettes that were never printed, in many house styles:
// the words of their pages with places, as a PDF's text layer or a recognition
// of its scan gives them, and the truth about each word and each text. A model
// that labels lines learns from them, and tests hold cutting against them.
//
// Everything is invented, countries, people and law alike: sentences come from a
// grammar, and nothing is copied from a real text. The same style, seed and
// damage give the same issue, byte for byte. The package cannot fail: what it
// reads is embedded, and a fault in that panics in any test.
package house

import (
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// Label is what a printed line is for.
type Label string

// The labels. Words in another language beside the French ones (a bilingual
// gazette's translation) are Notice: no text is to be made of them.
const (
	Masthead  Label = "masthead"  // title of the gazette, its date, prices and address
	Summary   Label = "summary"   // the list of what is in it, a table of contents
	Rubric    Label = "rubric"    // a part, a kind of texts, a ministry, a heading over several acts
	Head      Label = "head"      // the title of a text
	Visa      Label = "visa"      // who decides, on which law it rests, on whose report
	Formula   Label = "formula"   // « DÉCRÈTE : », « promulgue la loi dont la teneur suit : »
	Article   Label = "article"   // the line that begins an article
	Division  Label = "division"  // heading of a title, a chapter, a section
	Paragraph Label = "paragraph" // any other line of a text
	Table     Label = "table"     // a row of a table
	Signature Label = "signature" // office and name of who signs
	Place     Label = "place"     // « Fait à …, le … »
	Annex     Label = "annex"     // the head of an annex
	Note      Label = "note"      // a foot note
	Notice    Label = "notice"    // announcements, associations: no text
	Furniture Label = "furniture" // running heads, folios, dirt
	Abridged  Label = "abridged"  // first line of an act printed without a title of its own
	Bill      Label = "bill"      // title of the bill, printed before the text that came of it
	Draft     Label = "draft"     // the reasons behind that title
)

// Labels lists every label.
func Labels() []Label {
	return []Label{Masthead, Summary, Rubric, Head, Visa, Formula, Article, Division, Paragraph, Table,
		Signature, Place, Annex, Note, Notice, Furniture, Abridged, Bill, Draft}
}

// Issue is a made issue: its pages before layout.Arrange, and the truth.
type Issue struct {
	Pages  []layout.Page
	Labels [][]Label // by the page's index and the word's
	Owner  [][]int   // the index in Texts of the text that a word belongs to, -1 for none
	Texts  []Text    // in printing order
	Number string    // of the issue, "" for what is none
	Date   time.Time // of the issue; of the text where one was printed alone
}

// Text is the truth about one text of an issue.
type Text struct {
	Type     law.DocType
	Nature   string // what it calls itself: « Décret présidentiel »
	Number   string // as printed, without « n° »; "" for a text that has none
	Date     time.Time
	Title    string   // as printed, on one line, the style's capitals included; of an abridged act its opening words
	Articles []string // the numbers of its own articles that are on the pages, as printed: « 1er », « unique », « L. 12-3 »
	Page     int      // where it begins, from 1
	Abridged bool
}

// Make makes an issue.
func Make(style Style, seed uint64, damage Damage) Issue {
	p := newPen(style, seed)
	issue := p.typeset(p.compose())
	damage.apply(&issue, p.rng)
	return issue
}
