package gazette

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

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
