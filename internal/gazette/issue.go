package gazette

import (
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// Hints holds what is known about a file before it is read: the operator's metadata and the file's name. In a
// file of one text, a field that the operator gave overrides what is printed and settles its doubt.
type Hints struct {
	Filename       string
	Title          string
	Type           law.DocType
	Nature         string
	OfficialNumber string
	Domain         string
	Promulgated    *time.Time
	EntersInForce  *time.Time
	Published      *time.Time // the issue's date; also the date of a text that shows none
	Is             FileKind   // what a person says that the file is, "" for nothing
	Country        string     // whose law a person says that its texts are, by the code of the country, "" for nothing
	Today          time.Time  // no text is dated later; zero if it is not known
	Edits          []Edit     // corrections that people made to its lines, in order
	// KeepRemains keeps the end of a text that begins before the file as a text of its own.
	KeepRemains bool
}

// FileKind is what a file is as a person says it.
type FileKind string

// The kinds of files. Files of law are cut into texts, whatever they look like; those of no law have none.
const (
	FileOfLaw       FileKind = "law"
	FileOfNoLaw     FileKind = "no_law"
	FileDraft       FileKind = "draft"       // its texts wait for a person
	FileCoordinated FileKind = "coordinated" // a text as it stands after its amendments
	FileCompilation FileKind = "compilation" // texts of several years, printed together
)

// FileKinds lists every kind.
func FileKinds() []FileKind {
	return []FileKind{FileOfLaw, FileOfNoLaw, FileDraft, FileCoordinated, FileCompilation}
}

// Issue is one file, cut into its texts.
type Issue struct {
	Name   string        // the name of the gazette as it is printed, "" when the file is no gazette
	Number string        // the gazette's number, "" when it shows none
	Date   *time.Time    // the gazette's date, nil when it shows none
	House  []string      // the lines by which files of its publisher are known
	Texts  []Text        // in the order of the file
	Loose  []layout.Line // lines that belong to no text
	// Remains locates the end of a text that begins before the file; its lines are in Loose. It is nil if
	// there is none, or if that end is one of Texts.
	Remains *Remains
	// NoLaw says what the file holds if it holds no law. Then it has no texts, and all its lines are in Loose.
	NoLaw remarks.Remark
	// Is says what the file is, if it is neither an issue of a gazette nor acts: a draft, a text after its amendments.
	Is []remarks.Remark

	Lines     []LabeledLine // every line, in reading order
	Unapplied []Unapplied   // edits that no longer change anything
}

// Remains locates the end of a text that begins before the file.
type Remains struct {
	First               Place // its first line
	FirstPage, LastPage int
	Articles            []string // numbers of the articles that begin in it
}

// Text is one legal text and everything that was cut from it. The caller assigns ids; positions of articles
// count from 0.
type Text struct {
	Document law.Document
	Head     []layout.Line // its title as printed
	Doubts   []remarks.Doubt
	// Signals are the signs that the text may be cut or read wrongly, including those too weak to make a
	// doubt.
	Signals  []Signal
	Evidence []law.Evidence // the words that each datum was read from
	// Signatories lists who signed, the authority that issued the text first: « Le Premier ministre : Jean
	// VILLEDIEU ».
	Signatories []string
	Articles    []law.Article
	Absent      []string // article numbers missing from the numbering: « 16 », « 12–33 »
	Relations   []Relation
	Wordings    []Wording // new wordings of other texts' articles, in order

	First Place // its first line
	// Origin is the index of this text when the file is cut without edits, -1 for a text that edits created.
	Origin int
	Edited map[string]string // fields of the catalogue that edits set, with their values
}

// Relation is a change that an article of the text makes to another text.
type Relation struct {
	Article int // index in Text.Articles of the article that makes the change
	law.Relation
}
