package ocr

import (
	"image"
	"math"

	"vigueur/internal/gazette/layout"
)

// Leans of a page, in degrees. A page that leans up to bearable is not straightened:
// Tesseract reads it as well as a straight page, and faster, because the edges of a
// turned picture are less sharp.
const (
	maxSkew  = 5.0 // the largest lean that skewOf looks for
	minSkew  = 0.2 // the smallest lean that skewOf reports
	bearable = 0.5
)

// skewOf returns by how many degrees the text of img leans clockwise, 0 if the text is
// straight or has no lines. This is the angle at which the rows of pixels differ most,
// with ink in the lines of text and none between them (Postl's projection profile).
func skewOf(img *image.Gray) float64 {
	xs, ys, height := ink(img)
	if len(xs) < 500 {
		return 0
	}
	best, most := 0.0, -1.0
	try := func(deg float64) {
		if s := unevenness(xs, ys, height, deg); s > most*(1+1e-9) {
			best, most = deg, s
		}
	}
	try(0)
	for deg := -maxSkew; deg <= maxSkew; deg += 0.25 {
		try(deg)
	}
	around := best
	for d := -0.2; d <= 0.2; d += 0.05 {
		try(around + d)
	}
	if math.Abs(best) < minSkew || math.Abs(best) > maxSkew {
		return 0
	}
	return math.Round(best*100) / 100
}

// ink returns the coordinates of the dark pixels of img, reduced to a width of about
// 800 pixels, and the height of the reduced picture.
func ink(img *image.Gray) (xs, ys []float64, height int) {
	size := img.Rect.Size()
	step := max(1, size.X/800)
	sum, n := 0, 0
	for y := 0; y < size.Y; y += 4 * step {
		for x := 0; x < size.X; x += 4 * step {
			sum += int(img.Pix[y*img.Stride+x])
			n++
		}
	}
	if n == 0 {
		return nil, nil, 0
	}
	dark := byte(float64(sum) / float64(n) * 0.6)
	for y := 0; y < size.Y; y += step {
		for x := 0; x < size.X; x += step {
			if img.Pix[y*img.Stride+x] < dark {
				xs, ys = append(xs, float64(x/step)), append(ys, float64(y/step))
			}
		}
	}
	return xs, ys, size.Y / step
}

// unevenness shears the page by deg degrees, counts the dark pixels of each row, and
// returns the sum of the squares of these counts.
func unevenness(xs, ys []float64, height int, deg float64) float64 {
	slope := math.Tan(deg * math.Pi / 180)
	rows := make([]int, 3*height+2)
	for i, x := range xs {
		at := int(ys[i]-x*slope) + height
		if at >= 0 && at < len(rows) {
			rows[at]++
		}
	}
	sum := 0.0
	for _, n := range rows {
		sum += float64(n) * float64(n)
	}
	return sum
}

// lean turns img about its center by deg degrees clockwise. Uncovered corners become
// white.
func lean(img *image.Gray, deg float64) *image.Gray {
	size := img.Rect.Size()
	out := image.NewGray(image.Rect(0, 0, size.X, size.Y))
	sin, cos := math.Sincos(deg * math.Pi / 180)
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	const one = 1 << 16 // coordinates are in 65,536ths of a pixel
	stepX, stepY := int(cos*one), int(-sin*one)
	for y := range size.Y {
		dy := float64(y) - cy
		// The source of the row's first pixel. The source of each further pixel is one step on.
		sx, sy := int((cx-cx*cos+dy*sin)*one), int((cy+cx*sin+dy*cos)*one)
		row := out.Pix[y*out.Stride:][:size.X]
		for x := range row {
			row[x] = sample(img, size, sx, sy)
			sx, sy = sx+stepX, sy+stepY
		}
	}
	return out
}

// sample returns the grey of img at x and y, in 65,536ths of a pixel, interpolated
// from four pixels. It returns white outside of img.
func sample(img *image.Gray, size image.Point, x, y int) byte {
	x0, y0 := x>>16, y>>16
	if x0 < 0 || y0 < 0 || x0 >= size.X-1 || y0 >= size.Y-1 {
		return 255
	}
	fx, fy := x>>8&255, y>>8&255
	p := img.Pix[y0*img.Stride+x0:]
	q := p[img.Stride:]
	top := int(p[0])*(256-fx) + int(p[1])*fx
	low := int(q[0])*(256-fx) + int(q[1])*fx
	return byte((top*(256-fy) + low*fy + 1<<15) >> 16)
}

// unturn turns img by quarter turns so that text of turn t becomes upright.
func unturn(img *image.Gray, t layout.Turn) *image.Gray {
	size := img.Rect.Size()
	to := size
	if t == layout.Down || t == layout.Up {
		to = image.Pt(size.Y, size.X)
	}
	out := image.NewGray(image.Rect(0, 0, to.X, to.Y))
	for y := range size.Y {
		for x := range size.X {
			u, v := x, y
			switch t {
			case layout.Down:
				u, v = y, size.X-1-x
			case layout.Over:
				u, v = size.X-1-x, size.Y-1-y
			case layout.Up:
				u, v = size.Y-1-y, x
			}
			out.Pix[v*out.Stride+u] = img.Pix[y*img.Stride+x]
		}
	}
	return out
}
