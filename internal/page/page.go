// Package page is a printed page as words with places, before anyone knows what
// law it holds. Readers of PDF text and of scans both make Pages; Arrange puts
// their words into lines in the order a person reads them, column by column, and
// sets running heads, feet and page numbers aside.
package page

import "vigueur/internal/law"

// Source says where a page's words come from.
type Source string

// Where words come from.
const (
	Layer Source = "layer" // the PDF's own text
	OCR   Source = "ocr"   // recognised on an image
	None  Source = "none"  // no words could be had
)

// Word is one word as printed.
type Word struct {
	Text string   `json:"t"`
	Rect law.Rect `json:"r"`           // points from the top left of the page as displayed
	Size float64  `json:"z,omitempty"` // font size in points, 0 when unknown
	Bold bool     `json:"b,omitempty"`
	Ital bool     `json:"i,omitempty"`
}

// Line is words on one base line within one column.
type Line struct {
	Words    []Word
	Rect     law.Rect
	Column   int     // from 0; -1 for a line across the columns
	Size     float64 // the most frequent font size
	Bold     bool    // most of it is bold
	Gap      float64 // white space above, in points, within the column
	Centered bool    // set in the middle of its column
	Indent   float64 // from the column's left edge, in points
}

// Page is one page of a file.
type Page struct {
	Number int // in the file, from 1
	Width  float64
	Height float64
	Source Source
	Words  []Word // as read, in no promised order
	Lines  []Line // in reading order, made by Arrange
	Aside  []Line // running heads, feet, page numbers, set aside by Arrange
}
