package pdftext

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"
)

// halfBlack returns page content that draws, by the matrix, an inline image of 60 by 80
// pixels whose left half is black. head has the other entries of the image's dictionary;
// black and white are hexadecimal, perRow of them make a row.
func halfBlack(head, matrix string, black, white string, perRow int) string {
	var b strings.Builder
	for range 80 {
		b.WriteString(strings.Repeat(black, perRow/2) + strings.Repeat(white, perRow/2))
	}
	return fmt.Sprintf("q %s cm BI /W 60 /H 80 %s /F /AHx ID %s> EI Q\n", matrix, head, b.String())
}

// TestScan checks which pages are returned as their scanned image without painting, and
// that this image equals the painted page.
func TestScan(t *testing.T) {
	t.Parallel()
	const upright = "60 0 0 80 0 0"
	grey := halfBlack("/BPC 8 /CS /G", upright, "00", "FF", 60)
	// A row of 60 pixels of one bit each has 8 bytes, the last one half used: 4 black, 4 white.
	tests := []struct {
		name string
		page madePage
		size image.Point
		own  bool
	}{
		{"grey", madePage{content: grey}, image.Pt(60, 80), true},
		{"of color", madePage{content: halfBlack("/BPC 8 /CS /RGB", upright, "000000", "FFFFFF", 60)}, image.Pt(60, 80), true},
		{"of bits", madePage{content: halfBlack("/BPC 1 /CS /G", upright, "00", "FF", 8)}, image.Pt(60, 80), true},
		{"of a palette", madePage{content: halfBlack("/BPC 8 /CS [/I /RGB 1 <000000FFFFFF>]", upright, "00", "01", 60)}, image.Pt(60, 80), true},
		{"turned round in its values", madePage{content: halfBlack("/BPC 8 /CS /G /D [1 0]", upright, "FF", "00", 60)}, image.Pt(60, 80), true},
		{"over hidden words", madePage{content: "BT 3 Tr /F1 10 Tf 5 40 Td (Article 1) Tj ET\n" + grey}, image.Pt(60, 80), true},
		{"a stencil", madePage{content: halfBlack("/BPC 1 /IM true", upright, "00", "FF", 8)}, image.Pt(60, 80), false},
		{"upside down", madePage{content: halfBlack("/BPC 8 /CS /G", "-60 0 0 -80 60 80", "FF", "00", 60)}, image.Pt(60, 80), false},
		{"on a turned page", madePage{content: halfBlack("/BPC 8 /CS /G", upright, "FF", "00", 60), extra: "/Rotate 180"}, image.Pt(60, 80), false},
		{"wanted smaller", madePage{content: grey}, image.Pt(30, 40), false},
		{"over half of the page", madePage{content: halfBlack("/BPC 8 /CS /G", "30 0 0 80 0 0", "00", "00", 60)}, image.Pt(60, 80), false},
		{"with a word", madePage{content: grey + "BT 0 Tr /F1 10 Tf 5 40 Td (A) Tj ET\n"}, image.Pt(60, 80), false},
		{"with a stroke", madePage{content: grey + "0 0 10 80 re f\n"}, image.Pt(60, 80), false},
		{"twice", madePage{content: grey + grey}, image.Pt(60, 80), false},
		{"empty", madePage{content: "0 0 30 80 re f\n"}, image.Pt(60, 80), false},
	}
	e, err := newServer(cacheDir(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		tt.page.box = "0 0 60 80"
		path := file(t, "scan.pdf", made{pages: []madePage{tt.page}}.bytes())
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		doc, hello := e.open(f, info.Size())
		if err := f.Close(); err != nil || hello.Fault != "" {
			t.Fatalf("%s: %v, %q", tt.name, err, hello.Fault)
		}
		e.withPage(doc, 1, func(h uint64) {
			own, ok := e.scan(h, e.frameOf(h), tt.size)
			if ok != tt.own {
				t.Errorf("%s: its own picture: %v", tt.name, ok)
			}
			if !ok {
				own.size = tt.size
				if own.pixels, err = e.paint(h, tt.size); err != nil {
					t.Fatalf("%s: %v", tt.name, err)
				}
			}
			middle := own.size.Y / 2 * own.size.X
			if left, right := own.pixels[middle+2], own.pixels[middle+own.size.X-2]; left != 0 || right != 255 {
				t.Errorf("%s: left %d, right %d", tt.name, left, right)
			}
		})
	}
}

// A picture that is resized to a size close to its own keeps its corners, and a new
// pixel between two old pixels has a value between theirs.
func TestSized(t *testing.T) {
	t.Parallel()
	p := picture{image.Pt(200, 100), make([]byte, 200*100)}
	for i := range p.pixels {
		p.pixels[i] = byte(i%200 + i/200/2)
	}
	for _, size := range []image.Point{{198, 100}, {202, 101}, {200, 99}, {1, 1}} {
		got := p.resize(size)
		if got.size != size || len(got.pixels) != size.X*size.Y {
			t.Fatalf("%v: %d points", got.size, len(got.pixels))
		}
		for y := range size.Y {
			for x := 1; x < size.X; x++ {
				if a, b := got.pixels[y*size.X+x-1], got.pixels[y*size.X+x]; b < a || b > a+2 {
					t.Fatalf("%v: %d beside %d at %d,%d", size, a, b, x, y)
				}
			}
		}
		if last := got.pixels[len(got.pixels)-1]; size.X > 1 && (got.pixels[0] > 1 || last < 246) {
			t.Errorf("%v: from %d to %d", size, got.pixels[0], last)
		}
	}
}
