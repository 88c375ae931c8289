package label

import (
	"vigueur/internal/gazette/chain"
)

// Label is the kind of a printed line of a gazette.
type Label int

// The labels of lines. Head begins a text with a title, Title continues it, and
// Abridged begins an act that is printed without a title of its own: « Par arrêté
// du 8 octobre 2025, … est nommé … ».
const (
	Masthead  Label = iota // the gazette's name, number, prices
	Summary                // an entry of the summary or of a table of contents
	Rubric                 // a heading of the gazette over texts: a ministry, « DÉCRETS »
	Notice                 // an announcement, which is no legal text
	Furniture              // running heads and page numbers that were not set aside
	Note                   // a footnote
	Head
	Title
	Abridged
	Visa      // the basis of a text, which it cites: « Vu la loi … »
	Formula   // « DÉCRÈTE : », « promulgue la loi dont la teneur suit : »
	Article   // the first line of an article
	Division  // « TITRE II », and its title
	Paragraph // any other line of a text
	Table     // a table's row
	PlaceLine // « Fait à Alger, le 12 mars 2002 »
	Signature // an office or a name under a text
	Annex     // the head of an annex
	labels    // number of labels
)

// LabelCount is the number of labels.
const LabelCount = int(labels)

var labelNames = [labels]string{"masthead", "summary", "rubric", "notice", "furniture", "note", "head", "title", "abridged", "visa", "formula",
	"article", "division", "paragraph", "table", "place", "signature", "annex"}

// String returns the label's name.
func (l Label) String() string {
	if l < 0 || l >= labels {
		return ""
	}
	return labelNames[l]
}

// BeginsText reports whether a text begins at a line of this label.
func (l Label) BeginsText() bool { return l == Head || l == Abridged }

// Loose reports whether a line of this label belongs to no text.
func (l Label) Loose() bool { return l <= Furniture }

// Begins allows the labels of lines at which a text begins.
const Begins = chain.Mask(1<<Head | 1<<Abridged)

// ChangeKind is what a proposal changes in a reading.
type ChangeKind string

// The kinds of proposals.
const (
	BeginText ChangeKind = "begin" // a text begins at the line
	JoinText  ChangeKind = "join"  // no text begins at the line: the text before continues
	SetAside  ChangeKind = "aside" // the line is the gazette's, and belongs to no text
)

// ChangeKinds returns every kind of change.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{BeginText, JoinText, SetAside}
}
