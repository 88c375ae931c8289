package pdftext

import (
	"strconv"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// What nobody sees on a page is no part of its print, however it was hidden; what looks as if it might be hidden and
// is seen stays.
func TestHiddenTextIsNoText(t *testing.T) {
	t.Parallel()
	const (
		use  = "/Properties << /MC0 6 0 R >> /ExtGState << /GS 7 0 R /GB << /BM /Screen >> /G0 << /ca 0 >> >> /Font << /F1 3 0 R /F2 9 0 R >>"
		off  = "/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>"
		on   = "/OCProperties << /OCGs [6 0 R] /D << >> >>"
		said = "BT /F1 10 Tf 50 700 Td (Ignorez) Tj ET\n"
	)
	for _, c := range []struct {
		name, content, catalog string
		seen, covered          bool
	}{
		{name: "black on white", content: said, seen: true},
		{name: "white on white", content: "1 g " + said},
		{name: "nearly white on white", content: "0.97 g " + said},
		{name: "white on black", content: "0 g 40 690 100 30 re f 1 g " + said, seen: true},
		{name: "light gray", content: "0.7 g " + said, seen: true},
		{name: "no painting", content: "3 Tr " + said},
		{name: "clipping only", content: "q 7 Tr " + said + "Q\n"},
		{name: "strokes", content: "1 Tr " + said, seen: true},
		{name: "white strokes", content: "1 G 1 Tr " + said},
		{name: "transparent", content: "/G0 gs " + said},
		{name: "covered", content: said + "1 g 40 690 100 30 re f\n", seen: true, covered: true},
		{name: "covered beside it", content: said + "1 g 40 600 100 30 re f 45 695 2 20 re f\n", seen: true},
		{name: "with a shadow", content: "0.8 g BT /F1 10 Tf 50.5 699.5 Td (Ignorez) Tj ET 0 g " + said, seen: true},
		{name: "clipped away", content: "q 0 0 10 10 re W n " + said + "Q\n"},
		{name: "clipped in the middle", content: "q 40 690 30 30 re W n " + said + "Q\n", seen: true, covered: true},
		{name: "behind a mask", content: "q /GS gs " + said + "Q\n"},
		{name: "mixed with the paper", content: "q /GB gs " + said + "Q\n", seen: true},
		{name: "of no size", content: "BT /F1 0.3 Tf 50 700 Td (Ignorez) Tj ET\n"},
		{name: "of no width", content: "BT /F1 10 Tf 0.1 Tz 50 700 Td (Ignorez) Tj ET\n"},
		{name: "without shapes", content: "BT /F2 10 Tf 50 700 Td (Ignorez) Tj ET\n"},
		{name: "white over other words", content: "1 g BT /F1 10 Tf 52 792.5 Td (Ignorez) Tj ET\n", seen: true, covered: true},
		{name: "beyond the edge", content: "BT /F1 10 Tf 900 700 Td (Ignorez) Tj ET\n"},
		{name: "a layer that is shown", content: "/OC /MC0 BDC " + said + "EMC\n", catalog: on, seen: true},
		{name: "a layer that is off", content: "/OC /MC0 BDC " + said + "EMC\n", catalog: off},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const asRead = "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <41> <7A> <0041> endbfrange endcmap"
			m := made{catalog: c.catalog, objects: []string{"<< /Type /OCG /Name (annexe) >>",
				"<< /Type /ExtGState /SMask << /Type /Mask /S /Luminosity /G 8 0 R >> >>",
				"<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency /CS /DeviceGray >> /Length 20 >>\nstream\n0 g 0 0 595 842 re f \nendstream",
				"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /b 10 0 R >> /Encoding << /Type /Encoding /Differences [65" +
					strings.Repeat(" /b", 58) + "] >> /FirstChar 65 /LastChar 122 /Widths [" + strings.Repeat("520 ", 58) + "] /ToUnicode 11 0 R /Resources << >> >>",
				"<< /Length 8 >>\nstream\n520 0 d0\nendstream",
				"<< /Length " + strconv.Itoa(len(asRead)) + " >>\nstream\n" + asRead + "\nendstream"}}
			m.pages = []madePage{{lines: []string{"Article 1 de la loi"}, content: c.content, use: use}}
			page := readOnly(t, m.bytes())
			got, covered := false, false
			for _, w := range page.Words {
				got, covered = got || w.Text == "Ignorez", covered || w.Covered
			}
			if got != c.seen || covered != c.covered || page.Unseen == 1 == c.seen {
				t.Errorf("got %v, %d left out", page.Words, page.Unseen)
			}
			if len(page.Words) < 5 {
				t.Errorf("the rest of the page is lost: %v", page.Words)
			}
		})
	}
}

// The words that a scanner's recognition adds to its picture are no part of the print where the picture has no ink.
func TestInvisibleWordsOfAScanHaveInk(t *testing.T) {
	t.Parallel()
	m := made{pages: []madePage{{content: halfBlack("/BPC 8 /CS /G", "595 0 0 842 0 0", "00", "FF", 60) +
		"BT 3 Tr /F1 10 Tf 280 700 Td (Article) Tj 0 -20 Td (premier) Tj 0 -20 Td (partout) Tj 100 0 Td (neuf) Tj ET\n"}}}
	if p := readOnly(t, m.bytes()); words(p) != "Article premier partout" || p.Unseen != 1 {
		t.Errorf("%q, %d left out", words(p), p.Unseen)
	}
}

// Letters that a printer slants stand on a straight base line. Text that runs across the page does not.
func TestSlantedTypeIsUpright(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, matrix string
		turn         layout.Rotation
		ital         bool
	}{
		{"upright", "1 0 0 1 50 700", layout.Upright, false},
		{"slanted by a printer", "1 0 0.33 1 50 700", layout.Upright, true},
		{"slanted much", "1 0 0.6 1 50 700", layout.Upright, true},
		{"upwards", "0 1 -1 0 50 600", layout.Up, false},
		{"slanted upwards", "0 1 -1 0.3 50 600", layout.Up, true},
		{"across the page", "0.7 0.7 -0.7 0.7 50 600", layout.Askew, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := made{pages: []madePage{{content: "BT /F1 10 Tf " + c.matrix + " Tm (Journal) Tj ET\n"}}}
			if got := readOnly(t, m.bytes()).Words[0]; got.Turn != c.turn || got.Ital != c.ital || got.Size < 9.9 || got.Size > 12 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// readOnly reads the only page of a file.
func readOnly(t *testing.T, raw []byte) layout.Page {
	t.Helper()
	pages, err := opened(t, Reader{}, file(t, "a.pdf", raw)).Read(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return pages[0]
}
