package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// EditKind is what a person's edit does to the way a file is cut.
type EditKind string

// The kinds of edits.
const (
	SplitHere   EditKind = "split"    // a text begins at the line
	MergeBefore EditKind = "merge"    // no text begins at the line: it goes on with the text before
	MoveLines   EditKind = "move"     // the lines belong elsewhere, or to no text
	Renumber    EditKind = "renumber" // the article of the line has another number
	Retitle     EditKind = "retitle"  // the text of the line, or its article, has another title
	Correct     EditKind = "correct"  // the line, or its whole article, has other words
)

// EditKinds lists every kind.
func EditKinds() []EditKind {
	return []EditKind{SplitHere, MergeBefore, MoveLines, Renumber, Retitle, Correct}
}

// Edit is what a person says of lines of a file. Edits are applied in their order
// whenever the file is cut: words of lines are corrected and moved lines taken out
// before anything is read, texts begun and merged once their heads were found,
// articles and titles changed at the end. Split stays pure: the same pages and
// edits give the same texts.
//
// Lines are known by their place, so that an edit finds them again after the file
// was read anew. An edit whose line is no longer there, or no longer what the edit
// needs, changes nothing; it is told in Issue.Unapplied and as a doubt of the text
// that stands on its page.
type Edit struct {
	Kind  EditKind  `json:"-"`
	Made  time.Time `json:"-"`
	Lines []Place   `json:"lines"` // split: the lines of the title, when more than one
	// After is the line behind which moved lines come; nil: they belong to no text.
	After *Place `json:"after,omitempty"`
	// Whole lets retitle and correct speak of the article of the line.
	Whole bool `json:"article,omitempty"`

	Text   string `json:"text,omitempty"`   // correct: the new words; a line end begins an alinea of an article
	Number string `json:"number,omitempty"` // renumber: the article's; split: the text's
	Title  string `json:"title,omitempty"`  // retitle, split

	// What a person says of a text that a split makes.
	Type        law.DocType `json:"doc_type,omitempty"`
	Nature      string      `json:"nature,omitempty"` // what it calls itself: « Ordonnance »
	Promulgated *time.Time  `json:"date_promulgation,omitempty"`
}

// Unapplied is an edit that changes nothing any more.
type Unapplied struct {
	Edit   int    // index in Hints.Edits
	Reason string // a French sentence
}

// Place is where a line stands and what it says.
type Place struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect"`
	Hash string   `json:"hash"` // of its words
	Text string   `json:"text"` // its beginning, for people
}

// placeText is how many characters of a line's words a place keeps.
const placeText = 120

// PlaceOf is the place of a line.
func PlaceOf(l layout.Line) Place { return PlaceAt(l.Page, l.Rect, l.Text()) }

// PlaceAt is the place of the line with the given words.
func PlaceAt(number int, rect law.Rect, text string) Place {
	return Place{Page: number, Rect: rect, Hash: wordsHash(text), Text: law.Clip(text, placeText)}
}

// wordsHash is a short hash of a line's words, the same for other blanks, accents
// and cases.
func wordsHash(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(law.Fold(text)), " ")))
	return hex.EncodeToString(sum[:8])
}

// Find returns the index of the line that stands at the place, -1 when none does.
// The file's bytes are always the same, so what is printed at a place is too: the
// line that lies there is meant, however its words were read. Where lines were
// broken otherwise, so that none lies there, it is the nearest one of the page with
// the same words.
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

// overlap is the area that two rectangles share.
func overlap(a, b law.Rect) float64 {
	return max(0, min(a[2], b[2])-max(a[0], b[0])) * max(0, min(a[3], b[3])-max(a[1], b[1]))
}

// mostly reports whether an area is more than half of a rectangle: of lines that do
// not cover one another, one at most lies so at a place.
func mostly(area float64, r law.Rect) bool { return 2*area > (r[2]-r[0])*(r[3]-r[1]) }

// apart is how far the middles of two rectangles are from one another, squared.
func apart(a, b law.Rect) float64 {
	dx, dy := (a[0]+a[2]-b[0]-b[2])/2, (a[1]+a[3]-b[1]-b[3])/2
	return dx*dx + dy*dy
}
