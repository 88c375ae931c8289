package main

import (
	"bytes"
	"fmt"
	"slices"

	"codeberg.org/go-pdf/fpdf"
)

const hairline = 0.5

// newPDF opens a PDF that carries nothing of the moment it is made in: its dates
// are the issue's. Streams stay uncompressed, because the toolchain's compressor
// may change from one Go release to the next.
func newPDF(is *issue) *fpdf.Fpdf {
	pdf := fpdf.New("P", "pt", "A4", "")
	pdf.SetCompression(false)
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(is.Date)
	pdf.SetModificationDate(is.Date)
	pdf.SetProducer("vigueur scripts/sample", true)
	pdf.SetTitle(fmt.Sprintf("Journal officiel de la République d’Astrevalle n° %s du %s", is.Number, frenchDate(is.Date)), true)
	pdf.SetLang("fr")
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	return pdf
}

// drawPDF writes the pages of an issue with their running heads.
func drawPDF(is *issue, m metrics, pages []*page) ([]byte, error) {
	pdf := newPDF(is)
	for i, p := range pages {
		pdf.AddPage()
		pdf.SetLineWidth(hairline)
		if err := drawRunningHead(pdf, m, is, i); err != nil {
			return nil, err
		}
		if p.ColumnFoot > p.ColumnTop {
			x := marginLeft + columnWidth + gutter/2
			pdf.Line(x, p.ColumnTop+2, x, p.ColumnFoot)
		}
		for _, r := range slices.Concat(p.Rows, p.Notes) {
			drawRow(pdf, r)
		}
	}
	var out bytes.Buffer
	err := pdf.Output(&out)
	return out.Bytes(), err
}

func drawRow(pdf *fpdf.Fpdf, r placedRow) {
	for _, p := range r.Pieces {
		drawPiece(pdf, p, r.X, r.Y)
	}
	for _, l := range r.Rules {
		pdf.Line(r.X+l.X1, r.Y+l.Y1, r.X+l.X2, r.Y+l.Y2)
	}
}

// drawPiece writes text whose row has its top left corner at x, y: the baseline
// lies one size below the top, less the depth of the descenders.
func drawPiece(pdf *fpdf.Fpdf, p piece, x, y float64) {
	pdf.SetFont("Times", string(p.Face), p.Size)
	pdf.SetWordSpacing(p.WordSpace)
	pdf.Text(x+p.X, y+p.Down+0.95*p.Size, p.Text)
}

// drawRunningHead sets number, name and date above every page but the first,
// the page number on the outer side; the first has its number at the foot.
func drawRunningHead(pdf *fpdf.Fpdf, m metrics, is *issue, index int) error {
	number := fmt.Sprint(is.FirstPage + index)
	if index == 0 {
		drawPiece(pdf, piece{Text: number, Size: 9}, (pageWidth-m.width(number, roman, 9))/2, pageHeight-36)
		return nil
	}
	outer, inner := number, fmt.Sprintf("N° %s — %s", is.Number, frenchDate(is.Date))
	left, right := inner, outer
	if (is.FirstPage+index)%2 == 0 {
		left, right = outer, inner
	}
	const size, y = 9.0, 38.0
	for _, h := range []struct {
		text string
		f    face
		at   float64 // 0 left, 0.5 centered, 1 right
	}{{left, roman, 0}, {"JOURNAL OFFICIEL DE LA " + country, bold, 0.5}, {right, roman, 1}} {
		code, err := encode(h.text)
		if err != nil {
			return err
		}
		drawPiece(pdf, piece{Text: code, Face: h.f, Size: size}, marginLeft+(fullWidth-m.width(code, h.f, size))*h.at, y)
	}
	pdf.Line(marginLeft, y+14, pageWidth-marginRight, y+14)
	return nil
}
