// Package segment splits the pages of a gazette, given as lines in reading order, into legal
// texts, their articles, and passages small enough to be searched.
//
// It is pure: no store, no clock, no randomness; the same pages and hints give the same texts.
// It cannot fail and loses nothing: every word of every line given to Split is in an article's
// text, number, heading or path, in a text's Head, or in Issue.Loose (mastheads, summaries,
// notices), except for words that an edit replaces. What it could not read with confidence
// becomes a doubt, and a text with doubts waits for a person.
package segment

import (
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// Hints is what is known of a file before it is read: the operator's metadata
// and the file's name. A field that the operator gave wins over what is printed
// when the file holds one text, and settles its doubt.
type Hints struct {
	Filename       string
	Title          string
	Type           law.DocType
	Nature         string
	OfficialNumber string
	Domain         string
	Promulgated    *time.Time
	EntersInForce  *time.Time
	Published      *time.Time // the issue's date; also the last resort of a text's own
	Edits          []Edit     // what persons have said of its lines, in order
	// KeepRemains makes a text of the end of one that begins before the file.
	KeepRemains bool
}

// Issue is one file, cut into its texts.
type Issue struct {
	Number string        // the gazette's number, "" when it shows none
	Date   *time.Time    // the gazette's date, nil when it shows none
	Texts  []Text        // in the order of the file
	Loose  []layout.Line // what belongs to no text
	// Remains is the end of a text that begins before the file, which is among Loose; nil
	// where there is none, or where it is a text of its own.
	Remains *Remains

	Lines     []LabeledLine // every line, in reading order
	Unapplied []Unapplied   // edits that change nothing any more
}

// Remains is where the end of a text stands that begins before the file.
type Remains struct {
	First               Place // where the file begins with it
	FirstPage, LastPage int
	Articles            []string // numbers of those that begin in it
}

// Text is one legal text and all that was cut from it. Ids are the caller's to
// make; positions of articles count from 0.
type Text struct {
	Document law.Document
	Head     []layout.Line // its title as printed
	Doubts   []law.Doubt
	// Witnesses are the signs that the text may be cut or read wrongly, whether or not
	// together they made a doubt.
	Witnesses []Witness
	Evidence  []law.Evidence // what each datum was read from
	// Who signed, first the authority that made it: « Le Premier ministre : Jean
	// VILLEDIEU ».
	Signatories []string
	Articles    []law.Article
	Absent      []string // numbers that the count of the articles leaves out: « 16 », « 12–33 »
	Relations   []Relation
	Wordings    []Wording // of articles of other texts, in order

	First Place // where it begins
	// Origin is the text's index when the file is cut without edits, -1 for a text
	// that edits made.
	Origin int
	Edited map[string]string // fields of the catalogue that edits set, and what to
}

// Relation is a change that an article of the text makes to another text.
type Relation struct {
	Article int // index in Text.Articles of the article that says it
	law.Relation
}
