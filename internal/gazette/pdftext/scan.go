package pdftext

import (
	"image"
	"math"
)

// plainColors are PDFium's numbers of the color spaces whose bitmaps have the same
// colors as the painted page: all kinds of grey and RGB, and palettes. A stencil has
// no color space, so it is never among them.
var plainColors = map[uint32]bool{1: true, 2: true, 4: true, 5: true, 7: true, 10: true}

// renderInvisible is the text mode of the invisible words that a scanner's OCR adds
// to its picture.
const renderInvisible = 3

// slack is the relative difference in size and position that is allowed between a page
// and the picture that covers it.
const slack = 0.01

// scan returns the picture of a loaded page that is only a scan: one image over the
// whole page, upright and unmasked, whose size in pixels is size or differs from it
// by at most slack. To take this image costs a third of painting the page. If its
// size differs, the image is resized, as painting would do: OCR read real scans
// better resized than in their own size.
func (e *engine) scan(h uint64, f frame, size image.Point) (picture, bool) {
	obj := e.onlyImage(h)
	if obj == 0 || f.turns != 0 || !e.covers(obj, f) || e.ok("FPDFPageObj_HasTransparency", obj) {
		return picture{}, false
	}
	// FPDF_IMAGEOBJ_METADATA: width, height, two resolutions, bits, color space.
	if !e.ok("FPDFImageObj_GetImageMetadata", obj, h, e.at(0)) || !plainColors[e.uint32At(5)] ||
		!alike(float64(e.uint32At(0)), float64(size.X)) || !alike(float64(e.uint32At(1)), float64(size.Y)) {
		return picture{}, false
	}
	bitmap := e.call("FPDFImageObj_GetBitmap", obj)
	if bitmap == 0 {
		return picture{}, false
	}
	defer e.call("FPDFBitmap_Destroy", bitmap)
	own, ok := e.pixels(bitmap)
	if ok && own.size != size {
		own = own.resize(size)
	}
	return own, ok
}

// resize resizes the picture to a size close to its own. Each new pixel is interpolated
// from the four nearest pixels.
func (p picture) resize(size image.Point) picture {
	out := picture{size, make([]byte, size.X*size.Y)}
	columns := places(p.size.X, size.X)
	for y, row := range places(p.size.Y, size.Y) {
		top, low := p.pixels[row.at*p.size.X:], p.pixels[row.next*p.size.X:]
		to := out.pixels[y*size.X:][:size.X]
		for x, c := range columns {
			above := int(top[c.at])*(256-c.part) + int(top[c.next])*c.part
			below := int(low[c.at])*(256-c.part) + int(low[c.next])*c.part
			to[x] = byte((above*(256-row.part) + below*row.part + 1<<15) >> 16)
		}
	}
	return out
}

// place is a position between the neighboring pixels at and next, part/256 of the way
// from at to next.
type place struct{ at, next, part int }

// places returns the positions of n points that are spread evenly over a row of over
// pixels.
func places(over, n int) []place {
	out := make([]place, n)
	for i := range out {
		at := min(max((float64(i)+0.5)*float64(over)/float64(n)-0.5, 0), float64(over-1))
		whole := int(at)
		out[i] = place{whole, min(whole+1, over-1), int((at - float64(whole)) * 256)}
	}
	return out
}

// onlyImage returns the image of a page on which nothing but one image is visible, 0
// for any other page.
func (e *engine) onlyImage(h uint64) (only uint64) {
	n := e.int("FPDFPage_CountObjects", h)
	if n > maxObjects || e.int("FPDFPage_GetAnnotCount", h) > 0 {
		return 0
	}
	for i := range n {
		obj := e.call("FPDFPage_GetObject", h, uint64(i))
		switch kind := e.int("FPDFPageObj_GetType", obj); {
		case kind == objImage && only == 0:
			only = obj
		case kind == objText && e.int("FPDFTextObj_GetTextRenderMode", obj) == renderInvisible:
		default:
			return 0
		}
	}
	return only
}

// covers reports whether an image is upright and covers the whole page.
func (e *engine) covers(obj uint64, f frame) bool {
	if !e.ok("FPDFPageObj_GetMatrix", obj, e.at(0)) {
		return false
	}
	var m [6]float64
	for i := range m {
		m[i] = e.float32At(uint32(i))
	}
	return alike(m[0], f.width) && alike(m[3], f.height) &&
		math.Abs(m[1]) < slack && math.Abs(m[2]) < slack &&
		math.Abs(m[4]-f.box[0]) < slack*f.width && math.Abs(m[5]-f.box[3]) < slack*f.height
}

func alike(a, b float64) bool { return math.Abs(a-b) <= slack*b }
