package gazette

import (
	"time"

	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// EditKind is what an edit changes in the way a file is cut.
type EditKind string

// The kinds of edits.
const (
	SplitHere   EditKind = "split"    // a text begins at the line
	MergeBefore EditKind = "merge"    // no text begins at the line: it continues the text before
	MoveLines   EditKind = "move"     // the lines belong elsewhere, or to no text
	Renumber    EditKind = "renumber" // the article of the line has another number
	Retitle     EditKind = "retitle"  // the text of the line, or its article, has another title
	Correct     EditKind = "correct"  // the line, or its whole article, has other words
)

// EditKinds lists every kind.
func EditKinds() []EditKind {
	return []EditKind{SplitHere, MergeBefore, MoveLines, Renumber, Retitle, Correct}
}

// Edit is a person's correction of the way a file is cut. Edits are applied in order whenever the file is
// cut: words of lines are corrected and moved lines removed before anything is read, texts are begun and
// merged when their heads have been found, and articles and titles are changed at the end. Split stays pure:
// the same pages and edits give the same texts.
//
// An edit identifies lines by their place, and so finds them again after the file was read again. An edit
// whose line is missing, or is no longer what the edit needs, changes nothing: Issue.Unapplied lists it, and
// the text on its page gets a doubt.
type Edit struct {
	Kind  EditKind  `json:"-"`
	Made  time.Time `json:"-"`
	Lines []Place   `json:"lines"` // split: the lines of the title, when more than one
	// After is the line after which moved lines go; nil means that they belong to no text.
	After *Place `json:"after,omitempty"`
	// Whole makes retitle and correct apply to the article of the line.
	Whole bool `json:"article,omitempty"`
	// Begins makes renumber begin an article at the line; Onward numbers the articles after it in turn.
	Begins bool `json:"begins,omitempty"`
	Onward bool `json:"onward,omitempty"`

	Text   string `json:"text,omitempty"`   // correct: the new words; a line end begins an alinea of an article
	Number string `json:"number,omitempty"` // renumber: the article's new number; split: the text's number
	Title  string `json:"title,omitempty"`  // retitle, split

	// What a person says about a text that a split creates.
	Type        law.DocType `json:"doc_type,omitempty"`
	Nature      string      `json:"nature,omitempty"` // what it calls itself: « Ordonnance »
	Promulgated *time.Time  `json:"date_promulgation,omitempty"`
}

// The fields of a text that an edit may set, as the catalogue names them.
const (
	TitleField  = "title"
	TypeField   = "doc_type"
	NumberField = "numero_officiel"
	DateField   = "date_promulgation"

	// CorrectionField is the field of a doubt about an edit that no longer applies.
	CorrectionField = "correction"
)

// Unapplied is an edit that no longer changes anything.
type Unapplied struct {
	Edit int // index in Hints.Edits
	Why  remarks.Remark
}
