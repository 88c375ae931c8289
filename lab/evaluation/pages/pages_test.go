package main

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// sample is a file with pages in two columns.
const sample = "../../../scripts/sample/gazettes/jo-2025-05.pdf"

func TestDraw(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "images")
	var out strings.Builder
	if err := (options{dir: dir, from: 2, to: 2}).draw(t.Context(), &out, sample); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "jo-2025-05-002.png")
	if out.String() != path+"\n" {
		t.Errorf("said %q", out.String())
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[tint]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[tint{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	// A page in two columns, with articles and a running head.
	for name, c := range map[string]tint{"left column": columnTints[0], "right column": columnTints[1], "article": articleTints[0], "next article": articleTints[1], "aside": asideTint} {
		if seen[c] < 200 {
			t.Errorf("%s: %d pixels of its color", name, seen[c])
		}
	}
}

func TestDrawFaults(t *testing.T) {
	t.Parallel()
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir() // the gazette is read once
	for name, tt := range map[string]struct {
		o    options
		file string
		says string
	}{
		"no such page": {options{dir: t.TempDir(), from: 900}, sample, "there are no pages"},
		"backwards":    {options{dir: t.TempDir(), from: 2, to: 1}, sample, "there are no pages"},
		"a file there": {options{dir: filepath.Join(taken, "x")}, sample, "the folder to draw into"},
		"no file":      {options{dir: t.TempDir()}, "absent.pdf", "absent.pdf"},
	} {
		tt.o.cache = cache
		if err := tt.o.draw(t.Context(), io.Discard, tt.file); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	line := func(y float64, text string) layout.Line {
		return layout.Line{Page: 1, Rect: law.Rect{0, y, 100, y + 10}, Words: []layout.Word{{Text: text}}}
	}
	m := marksOf(gazette.Issue{Texts: []gazette.Text{{
		Head: []layout.Line{line(0, "Loi")},
		Articles: []law.Article{
			{Path: []string{"Titre premier Dispositions"}, Spans: []law.Span{{Page: 1, Rect: line(30, "").Rect}}},
			{Path: []string{"Titre premier Dispositions"}, Spans: []law.Span{{Page: 1, Rect: line(50, "").Rect}}},
		},
	}}})
	for want, l := range map[tint]layout.Line{
		titleTint: line(0, "Loi"), headingTint: line(20, "TITRE"), articleTints[0]: line(30, "a"), articleTints[1]: line(50, "b"), {}: line(70, "Titre II"),
	} {
		if got := m.fill(l); got != want {
			t.Errorf("%q: %v, want %v", l.Text(), got, want)
		}
	}
}

// TestCanvasKeepsInside draws past every edge.
func TestCanvasKeepsInside(t *testing.T) {
	t.Parallel()
	c := newCanvas(&image.Gray{Pix: make([]byte, 400), Stride: 20, Rect: image.Rect(0, 0, 20, 20)}, 2)
	for _, r := range []law.Rect{{-50, -50, 500, 500}, {900, 900, 950, 950}, {9, 9, 1, 1}, {}} {
		c.line(r, titleTint, asideTint)
		c.number(r, 1234567890, asideTint)
	}
	if c.img.RGBAAt(19, 19) != (color.RGBA{asideTint.r, asideTint.g, asideTint.b, 255}) {
		t.Errorf("the frame is cut off: %v", c.img.RGBAAt(19, 19))
	}
}
