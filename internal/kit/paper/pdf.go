package paper

import (
	"fmt"
	"io"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifbolditalic"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
)

// Measures of a page, in millimeters.
const (
	margin = 22
	line   = 5.4 // of the text
	step   = 7   // a depth of a list or of a quotation is set in
)

// textSize is the size of the text in points.
const textSize = 11

// sizes are the sizes of headings by their level, in points.
var sizes = [...]float64{17, 14, 13, 12, 11, 11}

// PDF writes a paper on pages of A4. Its fonts, Liberation Serif, have Latin, Greek and Cyrillic
// letters; in place of words in other scripts stand words that say so.
func PDF(w io.Writer, p Paper) error {
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetCreationDate(p.Made.UTC())
	f.SetModificationDate(p.Made.UTC())
	f.SetTitle(p.Title, true)
	f.SetAuthor("Vigueur", true)
	f.SetCreator("Vigueur", true)
	f.SetProducer("Vigueur", true)
	f.SetLang("fr")
	for _, font := range []struct {
		style string
		bytes []byte
	}{{"", liberationserifregular.TTF}, {"B", liberationserifbold.TTF}, {"I", liberationserifitalic.TTF}, {"BI", liberationserifbolditalic.TTF}} {
		f.AddUTF8FontFromBytes("law", font.style, font.bytes)
	}
	f.SetMargins(margin, margin, margin)
	f.SetAutoPageBreak(true, margin)
	f.AliasNbPages("{pages}")
	foot, _ := told(printable(p.Foot))
	f.SetFooterFunc(func() {
		f.SetY(-15)
		f.SetFont("law", "", 9)
		f.SetTextColor(90, 90, 90)
		f.CellFormat(0, 5, foot, "", 0, "L", false, 0, "")
		f.SetX(margin)
		f.CellFormat(0, 5, fmt.Sprintf("%d / {pages}", f.PageNo()), "", 0, "R", false, 0, "")
		f.SetTextColor(0, 0, 0)
	})
	f.AddPage()
	deepest := 0
	for _, of := range toldBlocks(blocks(p.Markdown)) {
		deepest = writePDF(f, of, deepest)
	}
	if err := f.Output(w); err != nil {
		return fmt.Errorf("paper: %w", err)
	}
	return nil
}

// writePDF writes a block. above is the depth of the last bookmark, from 1, or 0 for none; the next bookmark may be at
// most one deeper. writePDF returns the depth of its last bookmark.
func writePDF(f *fpdf.Fpdf, of block, above int) int {
	size, height := float64(textSize), line
	if of.level > 0 {
		size = sizes[min(of.level, len(sizes))-1]
		height = size * line / textSize
		if _, tall := f.GetPageSize(); f.GetY()+3*height > tall-margin { // a heading is never the last line of a page
			f.AddPage()
		} else if f.GetY() > margin {
			f.Ln(3)
		}
		above = min(of.level, above+1)
		f.Bookmark(of.words(), above-1, -1)
	}
	left := float64(margin + step*(of.quoted+of.depth))
	f.SetLeftMargin(left)
	f.SetX(left)
	if of.mark != "" {
		f.SetFont("law", "", size)
		f.SetX(left - step + 1)
		write(f, height, of.mark, "")
		f.SetX(left)
	}
	if of.quoted > 0 {
		f.SetTextColor(64, 64, 64)
	}
	for _, one := range of.runs {
		style := ""
		if one.bold || of.level > 0 {
			style = "B"
		}
		if one.italic {
			style += "I"
		}
		f.SetFont("law", style, size)
		if one.link != "" {
			f.SetTextColor(31, 58, 95)
			write(f, height, one.text, one.link)
			f.SetTextColor(0, 0, 0)
		} else {
			write(f, height, one.text, "")
		}
	}
	f.SetTextColor(0, 0, 0)
	f.SetLeftMargin(margin)
	f.Ln(height + 1.8)
	return above
}

// pieceLength is the maximum number of characters that are passed to fpdf at once, because its time grows with their
// square.
const pieceLength = 400

// write writes text, piece by piece, as a link unless link is "". A piece ends with a word,
// unless that is longer than a piece.
func write(f *fpdf.Fpdf, height float64, text, link string) {
	for len(text) > 0 {
		end, blank, n := len(text), 0, 0
		for i, r := range text {
			if n == pieceLength {
				end = i
				break
			}
			if n++; r == ' ' {
				blank = i + 1
			}
		}
		if end < len(text) && blank > 0 {
			end = blank
		}
		if link != "" {
			f.WriteLinkString(height, text[:end], link)
		} else {
			f.Write(height, text[:end])
		}
		text = text[end:]
	}
}

// words returns the text of a block on one line.
func (b block) words() string {
	var text strings.Builder
	for _, one := range b.runs {
		text.WriteString(one.text)
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
