package pdftext

import (
	"image"
	"math"
)

// Colors that a bitmap of an image keeps as they are painted: grey and RGB in
// their forms, and palettes of these. A stencil has none and is not among them.
var plainColors = map[uint32]bool{1: true, 2: true, 4: true, 5: true, 7: true, 10: true}

// renderInvisible is the text mode of the words that a scanner's own recognition
// lays under its picture.
const renderInvisible = 3

// slack is by how much the picture of a scan may differ from its page, as a share.
const slack = 0.01

// scan gives the picture of a loaded page that is nothing but a scan: one image
// over the whole page, upright and unmasked, just as large as is asked for. Taken
// as it is it costs a third of painting the page with it. One that is a point
// larger is painted all the same: real scans were read better smoothed than as
// they are.
func (e *engine) scan(h uint64, f frame, size image.Point) (picture, bool) {
	obj := e.onlyImage(h)
	if obj == 0 || f.turns != 0 || !e.covers(obj, f) || e.ok("FPDFPageObj_HasTransparency", obj) {
		return picture{}, false
	}
	// FPDF_IMAGEOBJ_METADATA: width, height, two resolutions, bits, color space.
	if !e.ok("FPDFImageObj_GetImageMetadata", obj, h, e.at(0)) || !plainColors[e.uint32At(5)] ||
		int(e.uint32At(0)) != size.X || int(e.uint32At(1)) != size.Y {
		return picture{}, false
	}
	bitmap := e.call("FPDFImageObj_GetBitmap", obj)
	if bitmap == 0 {
		return picture{}, false
	}
	defer e.call("FPDFBitmap_Destroy", bitmap)
	return e.pixels(bitmap)
}

// onlyImage is the one image of a page on which nothing else can be seen, or 0.
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

// covers tells whether an image is laid upright over the whole of a page.
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
