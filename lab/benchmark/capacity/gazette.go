package main

import (
	"bytes"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"vigueur/internal/gazette/layout"
	"vigueur/lab/house"
)

// drawn is a made gazette as a PDF with a text layer: each word at its place, in a face that is squeezed to its width.
func drawn(seed uint64) ([]byte, error) {
	issue := house.Make(house.Drawn(seed), seed, house.Damage{})
	pdf := fpdf.New("P", "pt", "A4", "")
	pdf.SetCatalogSort(true) // else fonts come in any order
	pdf.SetCreationDate(time.Unix(0, 0))
	pdf.SetModificationDate(time.Unix(0, 0))
	pdf.SetAutoPageBreak(false, 0)
	latin := pdf.UnicodeTranslatorFromDescriptor("") // cp1252
	for _, p := range issue.Pages {
		pdf.AddPageFormat("P", fpdf.SizeType{Wd: p.Width, Ht: p.Height})
		for _, w := range p.Words {
			if w.Turn == layout.Upright {
				drawWord(pdf, w, latin(w.Text))
			}
		}
	}
	var out bytes.Buffer
	err := pdf.Output(&out)
	return out.Bytes(), err
}

func drawWord(pdf *fpdf.Fpdf, w layout.Word, text string) {
	style := ""
	if w.Bold {
		style += "B"
	}
	if w.Ital {
		style += "I"
	}
	size := w.Size
	if size == 0 {
		size = w.Rect[3] - w.Rect[1]
	}
	pdf.SetFont("Times", style, size)
	if wide, room := pdf.GetStringWidth(text), w.Rect[2]-w.Rect[0]; wide > room && room > 0 {
		pdf.SetFontSize(size * room / wide)
	}
	pdf.Text(w.Rect[0], w.Rect[3]-(w.Rect[3]-w.Rect[1])/5, text) // the line that letters stand on
}
