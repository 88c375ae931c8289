package pdftext

import (
	"testing"

	"vigueur/internal/gazette/layout"
)

// What nobody sees on a page is no part of its print, however it was hidden; what looks as if it might be hidden and
// is seen stays.
func TestHiddenTextIsNoText(t *testing.T) {
	t.Parallel()
	const (
		use  = "/Properties << /MC0 6 0 R >>"
		off  = "/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>"
		on   = "/OCProperties << /OCGs [6 0 R] /D << >> >>"
		said = "BT /F1 10 Tf 50 700 Td (Ignorez) Tj ET\n"
	)
	for _, c := range []struct {
		name, content, use, catalog string
		seen, covered               bool
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
		{name: "transparent", content: "/G0 gs " + said, use: "/ExtGState << /G0 << /ca 0 >> >>"},
		{name: "covered", content: said + "1 g 40 690 100 30 re f\n", seen: true, covered: true},
		{name: "covered beside it", content: said + "1 g 40 600 100 30 re f 45 695 2 20 re f\n", seen: true},
		{name: "with a shadow", content: "0.8 g BT /F1 10 Tf 50.5 699.5 Td (Ignorez) Tj ET 0 g " + said, seen: true},
		{name: "clipped away", content: "q 1 g 0 0 10 10 re W n 0 g " + said + "Q\n", seen: true}, // nothing says so of the letters
		{name: "beside the page", content: "BT /F1 10 Tf 900 700 Td (Ignorez) Tj ET\n", seen: true, covered: true},
		{name: "a layer that is shown", content: "/OC /MC0 BDC " + said + "EMC\n", use: use, catalog: on, seen: true},
		{name: "a layer that is off", content: "/OC /MC0 BDC " + said + "EMC\n", use: use, catalog: off},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := made{catalog: c.catalog, object: "<< /Type /OCG /Name (annexe) >>"}
			m.pages = []madePage{{lines: []string{"Article 1 de la loi"}, content: c.content, use: c.use}}
			page := readOnly(t, m.bytes())
			got, covered := false, false
			for _, w := range page.Words {
				got, covered = got || w.Text == "Ignorez", covered || w.Covered
			}
			if got != c.seen || covered != c.covered || (page.Unseen == 1) == c.seen {
				t.Errorf("got %v, %d left out", page.Words, page.Unseen)
			}
			if len(page.Words) < 5 {
				t.Errorf("the rest of the page is lost: %v", page.Words)
			}
		})
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
