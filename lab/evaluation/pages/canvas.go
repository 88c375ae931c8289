package main

import (
	"image"
	"image/color"
	"strconv"

	"vigueur/internal/law"
)

// tint is a color that shows what is under it; the zero value shows nothing else.
type tint struct{ r, g, b uint8 }

// The colors of « eval pages ».
var (
	columnTints  = []tint{{30, 90, 220}, {20, 140, 60}, {140, 90, 30}, {130, 40, 160}}
	acrossTint   = tint{240, 120, 0}
	asideTint    = tint{150, 150, 150}
	titleTint    = tint{255, 170, 170}
	headingTint  = tint{215, 185, 255}
	articleTints = [2]tint{{255, 245, 150}, {165, 240, 250}}
)

// canvas is a page's picture with things drawn on it, given in points.
type canvas struct {
	img   *image.RGBA
	scale float64 // pixels a point
}

func newCanvas(gray *image.Gray, scale float64) *canvas {
	img := image.NewRGBA(image.Rect(0, 0, gray.Rect.Dx(), gray.Rect.Dy()))
	for y := range gray.Rect.Dy() {
		for x := range gray.Rect.Dx() {
			v := gray.Pix[y*gray.Stride+x]
			img.SetRGBA(x, y, color.RGBA{v, v, v, 255})
		}
	}
	return &canvas{img, scale}
}

// box is a rectangle in pixels, cut off at the picture's edges.
func (c *canvas) box(r law.Rect) image.Rectangle {
	return image.Rect(int(r[0]*c.scale), int(r[1]*c.scale), int(r[2]*c.scale)+1, int(r[3]*c.scale)+1).Intersect(c.img.Rect)
}

// line draws a line of text: a color behind it and a frame.
func (c *canvas) line(r law.Rect, fill, edge tint) {
	b := c.box(r)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if y == b.Min.Y || y == b.Max.Y-1 || x == b.Min.X || x == b.Max.X-1 {
				c.img.SetRGBA(x, y, color.RGBA{edge.r, edge.g, edge.b, 255})
			} else if fill != (tint{}) {
				c.shade(x, y, fill)
			}
		}
	}
}

// shade multiplies, as a felt pen does, so that print stays legible.
func (c *canvas) shade(x, y int, t tint) {
	old := c.img.RGBAAt(x, y)
	by := func(a, b uint8) uint8 { return uint8(int(a) * int(b) / 255) }
	c.img.SetRGBA(x, y, color.RGBA{by(old.R, t.r), by(old.G, t.g), by(old.B, t.b), 255})
}

// digits are 3 by 5 pixels, three bits a row from the top.
var digits = [10][5]uint8{
	{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 7, 1, 7}, {5, 5, 7, 1, 1},
	{7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 1, 1, 1}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
}

// number writes n on white, left of a rectangle, two pixels to each of the digits'.
func (c *canvas) number(r law.Rect, n int, ink tint) {
	const dot = 2
	text := strconv.Itoa(n)
	b := c.box(r)
	left := max(0, b.Min.X-4*dot*len(text)-dot)
	for i := range text {
		glyph := digits[text[i]-'0']
		for y := range 7 * dot {
			for x := range 4 * dot {
				at := image.Pt(left+4*dot*i+x, b.Min.Y+y)
				if !at.In(c.img.Rect) {
					continue
				}
				v := color.RGBA{255, 255, 255, 255}
				if row := y/dot - 1; row >= 0 && row < 5 && x/dot < 3 && glyph[row]>>(2-x/dot)&1 == 1 {
					v = color.RGBA{ink.r, ink.g, ink.b, 255}
				}
				c.img.SetRGBA(at.X, at.Y, v)
			}
		}
	}
}
