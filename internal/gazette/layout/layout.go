// Package layout represents a printed page as positioned words, before anything is known about
// its content. Readers of PDF text and of scans produce Pages. Arrange groups the words into
// lines in reading order, column by column, and sets running heads, footers and page numbers
// aside; Join concatenates the lines of a paragraph and records where each part stands; Judge
// estimates the quality of a text layer.
//
// Nothing is lost: after Arrange every word of a page is exactly once in its Lines or its
// Aside; letters printed apart from each other become the word that they spell. All
// functions are pure and cannot fail; meaningless words give meaningless lines.
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
	None  Source = "none"  // no words could be had
)

// Word is one word as printed.
type Word struct {
	Text string   `json:"t"`
	Rect law.Rect `json:"r"`           // points from the top left of the page as displayed
	Size float64  `json:"z,omitempty"` // font size in points, 0 when unknown
	Bold bool     `json:"b,omitempty"`
	Ital bool     `json:"i,omitempty"`
	Turn Turn     `json:"u,omitempty"`
}

// Turn is how the text of a word is turned on the page as displayed, in quarter
// turns clockwise.
type Turn uint8

// The turns. Askew is text at any other angle, such as a watermark.
const (
	Upright Turn = iota
	Down         // reads downwards
	Over         // upside down
	Up           // reads upwards
	Askew
)

// Unturn returns a rectangle of a page of the given size as it would lie were the
// page turned so that text of turn t stands upright.
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

// Turned is the reverse of Unturn: it puts a rectangle of the upright page back
// to where it lies on the page as displayed, whose size is given.
func Turned(r law.Rect, t Turn, width, height float64) law.Rect {
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

// Lean moves a rectangle as when the page were turned about its middle by that
// many degrees clockwise; its width and height stay.
func Lean(r law.Rect, degrees, width, height float64) law.Rect {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	dx, dy := (r[0]+r[2]-width)/2, (r[1]+r[3]-height)/2
	mx, my := dx*cos-dy*sin-dx, dx*sin+dy*cos-dy
	return law.Rect{r[0] + mx, r[1] + my, r[2] + mx, r[3] + my}
}

// Line is words on one base line within one column.
type Line struct {
	Page     int // the page's number in the file, from 1
	Words    []Word
	Rect     law.Rect
	Column   int     // from 0; -1 for a line across the columns
	Size     float64 // the most frequent font size
	Bold     bool    // most of it is bold
	Gap      float64 // white space above, in points, within the column; 0 for a column's first line
	Centered bool    // set in the middle of its column
	Indent   float64 // from the column's left edge, in points
	Slack    float64 // from its end to the column's right edge, in points: large at a paragraph's end
	Hard     bool    // the hyphen at its end belongs to the word: Join keeps it
}

// Page is one page of a file.
type Page struct {
	Number int // in the file, from 1
	Width  float64
	Height float64
	Source Source
	Words  []Word  // as read, in no promised order; nil once LetWordsGo was called
	Cover  float64 // how much of the page its largest image covers, 0 to 1
	DPI    float64 // that image's own resolution, 0 without an image
	Skew   float64 // of a scan: by how many degrees its text leans clockwise
	Drawn  bool    // something other than text is painted on it
	Fault  string  // why its words could not be read, a French sentence; empty when all is well
	Lines  []Line  // in reading order, made by Arrange
	Aside  []Line  // running heads, feet, page numbers, set aside by Arrange
}

// LetWordsGo forgets the Words of arranged pages, whose Lines and Aside have them all:
// those of a file of hundreds of pages are tens of megabytes. The pages can be arranged
// no more.
func LetWordsGo(pages []Page) {
	for i := range pages {
		pages[i].Words = nil
	}
}

// words are those of a page, wherever they are kept.
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

// Text is the line's words with one space between them.
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

// Above reports whether a line stands in the upper half of the page as it is read,
// which a page printed upside down is not as it is displayed.
func (p *Page) Above(l Line) bool {
	turn := Upright
	if len(l.Words) > 0 && l.Words[0].Turn < Askew {
		turn = l.Words[0].Turn
	}
	height := p.Height
	if turn == Down || turn == Up {
		height = p.Width
	}
	r := Unturn(l.Rect, turn, p.Width, p.Height)
	return r[1]+r[3] < height
}
