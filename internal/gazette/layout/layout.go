// Package layout represents a printed page as positioned words, before anything is known about its content.
// Readers of PDF text and of scans produce Pages. Arrange groups the words into lines in reading order,
// column by column, and sets running heads, footers and page numbers aside; Join concatenates the lines of a
// paragraph and records the position of each part; Judge estimates the quality of a text layer.
//
// Nothing is lost: after Arrange every word of a page is exactly once in its Lines or its Aside, and letters
// that are printed apart from each other become the word that they spell. All functions are pure and cannot
// fail; meaningless words give meaningless lines.
package layout

import (
	"iter"
	"math"

	"vigueur/internal/law"
)

// Source says where a page's words come from.
type Source string

// Where words come from.
const (
	Layer Source = "layer" // the PDF's own text
	OCR   Source = "ocr"   // recognized on an image
	None  Source = "none"  // no words could be read
)

// Word is one word as printed.
type Word struct {
	Text string   `json:"t"`
	Rect law.Rect `json:"r"`           // points from the top left corner of the page as displayed
	Size float64  `json:"z,omitempty"` // font size in points, 0 if unknown
	Bold bool     `json:"b,omitempty"`
	Ital bool     `json:"i,omitempty"`
	Turn Turn     `json:"u,omitempty"`
	// Covered is set if a shape or a picture hides the word, or if the word is outside of the page.
	Covered bool `json:"c,omitempty"`
}

// Turn is the direction of a word's text on the page as displayed, in quarter turns clockwise.
type Turn uint8

// The turns. Askew is text at any other angle, such as a watermark.
const (
	Upright Turn = iota
	Down         // reads downwards
	Over         // upside down
	Up           // reads upwards
	Askew
)

// Unturn returns the place of a rectangle after turning the page so that text of turn t is upright. The size
// is that of the page as displayed.
func Unturn(r law.Rect, t Turn, width, height float64) law.Rect {
	switch t {
	case Down:
		return law.Rect{r[1], width - r[2], r[3], width - r[0]}
	case Over:
		return law.Rect{width - r[2], height - r[3], width - r[0], height - r[1]}
	case Up:
		return law.Rect{height - r[3], r[0], height - r[1], r[2]}
	}
	return r
}

// Rotate is the reverse of Unturn: it returns the place of a rectangle of the upright page on the page as
// displayed, which has the given size.
func Rotate(r law.Rect, t Turn, width, height float64) law.Rect {
	switch t {
	case Down:
		return law.Rect{width - r[3], r[0], width - r[1], r[2]}
	case Over:
		return law.Rect{width - r[2], height - r[3], width - r[0], height - r[1]}
	case Up:
		return law.Rect{r[1], height - r[2], r[3], height - r[0]}
	}
	return r
}

// Lean returns the rectangle r moved as if the page, of the given size, were turned clockwise about its center
// by the given degrees. The width and height of r do not change.
func Lean(r law.Rect, degrees, width, height float64) law.Rect {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	dx, dy := (r[0]+r[2]-width)/2, (r[1]+r[3]-height)/2
	mx, my := dx*cos-dy*sin-dx, dx*sin+dy*cos-dy
	return law.Rect{r[0] + mx, r[1] + my, r[2] + mx, r[3] + my}
}

// Line holds the words on one base line within one column.
type Line struct {
	Page     int // the page's number in the file, from 1
	Words    []Word
	Rect     law.Rect
	Column   int     // from 0; -1 for a line across the columns
	Size     float64 // the most frequent font size
	Bold     bool    // most of the line is bold
	Gap      float64 // white space above the line, in points, within its column; 0 for the first line of a column
	Centered bool    // centered in its column
	Indent   float64 // distance from the left edge of the column, in points
	Slack    float64 // distance from the right edge of the column, in points: large at the end of a paragraph
	Hard     bool    // the hyphen at the end of the line belongs to the word, and Join keeps it
}

// Page is one page of a file.
type Page struct {
	Number int // in the file, from 1
	Width  float64
	Height float64
	Source Source
	Words  []Word  // as read, in no particular order; nil after DropWords
	Cover  float64 // the share of the page that its largest image covers, 0 to 1
	DPI    float64 // the resolution of this image, 0 if there is none
	Skew   float64 // for a scan, by how many degrees its text leans clockwise
	Drawn  bool    // something other than text is painted on the page
	Unseen int     `json:",omitempty"` // words of the text layer that nobody sees on the page, and that are not among Words
	Fault  string  // a French sentence that says why the page's words could not be read, "" if they were read
	Lines  []Line  // in reading order, set by Arrange
	Aside  []Line  // running heads, footers and page numbers, set by Arrange
}

// DropWords removes the Words of arranged pages, which are also in their Lines and Aside: in a file of
// hundreds of pages they take tens of megabytes. The pages cannot be arranged again.
func DropWords(pages []Page) {
	for i := range pages {
		pages[i].Words = nil
	}
}

// words returns the words of a page, from Words or else from Lines and Aside.
func (p *Page) words() iter.Seq[*Word] {
	return func(yield func(*Word) bool) {
		for i := range p.Words {
			if !yield(&p.Words[i]) {
				return
			}
		}
		if p.Words != nil {
			return
		}
		for _, lines := range [][]Line{p.Lines, p.Aside} {
			for i := range lines {
				for j := range lines[i].Words {
					if !yield(&lines[i].Words[j]) {
						return
					}
				}
			}
		}
	}
}

// Text returns the line's words, separated by spaces.
func (l Line) Text() string {
	n := 0
	for i := range l.Words {
		n += len(l.Words[i].Text) + 1
	}
	b := make([]byte, 0, n)
	for i := range l.Words {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, l.Words[i].Text...)
	}
	return string(b)
}
