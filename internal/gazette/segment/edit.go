package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"vigueur/internal/gazette/layout"
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
// An edit identifies lines by their place, and so finds them again after the file was read anew. An edit
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

	Text   string `json:"text,omitempty"`   // correct: the new words; a line end begins an alinea of an article
	Number string `json:"number,omitempty"` // renumber: the article's new number; split: the text's number
	Title  string `json:"title,omitempty"`  // retitle, split

	// What a person says about a text that a split creates.
	Type        law.DocType `json:"doc_type,omitempty"`
	Nature      string      `json:"nature,omitempty"` // what it calls itself: « Ordonnance »
	Promulgated *time.Time  `json:"date_promulgation,omitempty"`
}

// Unapplied is an edit that no longer changes anything.
type Unapplied struct {
	Edit int // index in Hints.Edits
	Why  remarks.Remark
}

// Place identifies a line by where it is printed and by its words.
type Place struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect"`
	Hash string   `json:"hash"` // hash of its words
	Text string   `json:"text"` // the beginning of its words, for people
}

// placeText is how many characters of a line's words a Place keeps.
const placeText = 120

// PlaceOf returns the place of a line.
func PlaceOf(l layout.Line) Place { return PlaceAt(l.Page, l.Rect, l.Text()) }

// PlaceAt returns the place of the line with the given page number, rectangle and words.
func PlaceAt(number int, rect law.Rect, text string) Place {
	return Place{Page: number, Rect: rect, Hash: wordsHash(text), Text: law.Clip(text, placeText)}
}

// wordsHash returns a short hash of a line's words that ignores blanks, accents and case.
func wordsHash(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(law.Fold(text)), " ")))
	return hex.EncodeToString(sum[:8])
}

// Find returns the index of the line at the place, -1 if there is none. The bytes of a file never change, so
// the line that covers the same rectangle is the one that was meant, however its words were read. If lines
// were separated differently and none covers it, Find returns the nearest line of the page that has the same
// words.
func (p Place) Find(lines []layout.Line) int {
	at, most := -1, 0.0
	for i := range lines {
		if lines[i].Page != p.Page || len(lines[i].Words) == 0 {
			continue
		}
		if shared := overlap(lines[i].Rect, p.Rect); shared > most && mostly(shared, lines[i].Rect) && mostly(shared, p.Rect) {
			at, most = i, shared
		}
	}
	if at >= 0 {
		return at
	}
	nearest := 0.0
	for i := range lines {
		if lines[i].Page != p.Page || len(lines[i].Words) == 0 || wordsHash(lines[i].Text()) != p.Hash {
			continue
		}
		if away := apart(lines[i].Rect, p.Rect); at < 0 || away < nearest {
			at, nearest = i, away
		}
	}
	return at
}

// overlap returns the area that two rectangles share.
func overlap(a, b law.Rect) float64 {
	return max(0, min(a[2], b[2])-max(a[0], b[0])) * max(0, min(a[3], b[3])-max(a[1], b[1]))
}

// mostly reports whether an area is more than half of a rectangle. Since lines do not cover each other, at
// most one line covers most of a place.
func mostly(area float64, r law.Rect) bool { return 2*area > (r[2]-r[0])*(r[3]-r[1]) }

// apart returns the squared distance between the centers of two rectangles.
func apart(a, b law.Rect) float64 {
	dx, dy := (a[0]+a[2]-b[0]-b[2])/2, (a[1]+a[3]-b[1]-b[3])/2
	return dx*dx + dy*dy
}
