package main

import (
	"fmt"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
)

// face is a cut of Times: the empty string, "B", "I" or "BI".
type face string

const (
	roman  face = ""
	bold   face = "B"
	italic face = "I"
)

// metrics holds the advance widths of the core font Times in thousandths of an
// em, by face and by Windows-1252 byte. Whole numbers: a sum of them cannot
// depend on the machine.
type metrics map[face]*[256]int

// loadMetrics reads the widths out of the PDF library's own tables.
func loadMetrics() metrics {
	m := metrics{}
	pdf := fpdf.New("P", "pt", "A4", "")
	for _, f := range []face{roman, bold, italic} {
		pdf.SetFont("Times", string(f), 1000)
		var w [256]int
		for b := range w {
			w[b] = int(pdf.GetStringWidth(string([]byte{byte(b)})))
		}
		m[f] = &w
	}
	return m
}

// width is the length of encoded text in points.
func (m metrics) width(encoded string, f face, size float64) float64 {
	sum := 0
	for i := range len(encoded) {
		sum += m[f][encoded[i]]
	}
	return float64(sum) * size / 1000
}

// encode turns text into Windows-1252; a character the font lacks is an error.
func encode(s string) (string, error) {
	out, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil {
		return "", fmt.Errorf("a character of %q is not in Windows-1252: %w", s, err)
	}
	return out, nil
}
