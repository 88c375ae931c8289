package pdftext

import (
	"errors"
	"image"
	"math"

	"vigueur/internal/gazette/layout"
)

// Kinds of page objects of PDFium.
const (
	objText  = 1
	objPath  = 2
	objImage = 3
	objForm  = 5
)

// maxObjects bounds how many objects of a page are searched for pictures: a scan has
// a single object, and a page with ten thousand strokes is a drawing, not a scan.
const maxObjects = 5000

// pictures notes in p what is painted on the loaded page h besides text: Drawn if
// there is anything, and the Cover and DPI of the largest image.
func (e *engine) pictures(h uint64, f frame, p *layout.Page) {
	area := f.width * f.height
	if area <= 0 {
		return
	}
	n := min(e.int("FPDFPage_CountObjects", h), maxObjects)
	for i := range n {
		obj := e.call("FPDFPage_GetObject", h, uint64(i))
		if obj == 0 {
			continue
		}
		switch e.int("FPDFPageObj_GetType", obj) {
		case objText:
		case objImage:
			e.picture(obj, obj, f, area, p)
		case objForm:
			e.form(obj, f, area, p)
		default:
			p.Drawn = true
		}
	}
	p.Cover, p.DPI = round2(p.Cover), round2(p.DPI)
}

// form searches a form object for images, one level deep, because scanners wrap the
// image of a page in a form. Positions inside a form are in the form's coordinates, so
// the form's box is taken as the image's box.
func (e *engine) form(form uint64, f frame, area float64, p *layout.Page) {
	n := min(e.int("FPDFFormObj_CountObjects", form), maxObjects)
	for i := range n {
		obj := e.call("FPDFFormObj_GetObject", form, uint64(i))
		if obj == 0 {
			continue
		}
		switch e.int("FPDFPageObj_GetType", obj) {
		case objText:
		case objImage:
			e.picture(obj, form, f, area, p)
		default:
			p.Drawn = true
		}
	}
}

// picture notes in p the image obj, if it covers more of the page than earlier images.
// The box of the object placed is the image's place on the page.
func (e *engine) picture(obj, placed uint64, f frame, area float64, p *layout.Page) {
	p.Drawn = true
	// left, bottom, right, top
	if !e.ok("FPDFPageObj_GetBounds", placed, e.at(0), e.at(1), e.at(2), e.at(3)) {
		return
	}
	r := f.place(e.float32At(0), e.float32At(3), e.float32At(2), e.float32At(1))
	seen := max(0, min(r[2], f.width)-max(r[0], 0)) * max(0, min(r[3], f.height)-max(r[1], 0))
	if cover := seen / area; cover <= p.Cover || !e.ok("FPDFImageObj_GetImagePixelSize", obj, e.at(4), e.at(5)) {
		return
	}
	p.Cover = min(1, seen/area)
	// The resolution is measured along the diagonal, which has the same length however the image is turned.
	pixels := math.Hypot(float64(e.uint32At(4)), float64(e.uint32At(5)))
	if points := math.Hypot(r[2]-r[0], r[3]-r[1]); points > 0 {
		p.DPI = pixels * 72 / points
	}
}

// maxPixels bounds the pixels of a rendered picture: an A3 page at 300 dpi has 17 million.
const maxPixels = 40_000_000

var errRender = errors.New("page cannot be rendered")

// Rendering flags of PDFium.
const (
	renderAnnotations = 0x01
	renderGray        = 0x08
)

// render paints page n in grey at dpi, or at a lower resolution if the picture would
// be larger than maxPixels. It returns the pixels row by row, one byte each.
func (e *engine) render(doc uint64, n int, dpi float64) (size image.Point, pixels []byte, err error) {
	err = errRender
	e.withPage(doc, n, func(h uint64) {
		f := e.frameOf(h)
		scale := dpi / 72
		if most := float64(maxPixels); f.width*f.height*scale*scale > most {
			scale = math.Sqrt(most / (f.width * f.height))
		}
		size = image.Pt(int(f.width*scale+0.5), int(f.height*scale+0.5))
		if size.X <= 0 || size.Y <= 0 || size.X*size.Y > maxPixels+maxPixels/10 {
			return
		}
		if own, ok := e.scan(h, f, size); ok {
			size, pixels, err = own.size, own.pixels, nil
			return
		}
		pixels, err = e.paint(h, size)
	})
	return size, pixels, err
}

// formatGray is PDFium's number of the bitmap format with one grey byte per pixel.
const formatGray = 1

// paint renders a loaded page on a white background.
func (e *engine) paint(h uint64, size image.Point) ([]byte, error) {
	bitmap := e.call("FPDFBitmap_CreateEx", uint64(size.X), uint64(size.Y), formatGray, 0, 0)
	if bitmap == 0 {
		return nil, errRender
	}
	defer e.call("FPDFBitmap_Destroy", bitmap)
	e.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(size.X), uint64(size.Y), 0xFFFFFFFF)
	e.call("FPDF_RenderPageBitmap", bitmap, h, 0, 0, uint64(size.X), uint64(size.Y), 0, renderAnnotations|renderGray)
	painted, ok := e.pixels(bitmap)
	if !ok || painted.size != size {
		return nil, errRender
	}
	return painted.pixels, nil
}

// picture holds grey pixels row by row, one byte each.
type picture struct {
	size   image.Point
	pixels []byte
}

// bytesOf holds the bytes per pixel of each bitmap format. The bytes of a color pixel begin with blue, green, red.
var bytesOf = map[int]int{formatGray: 1, 2: 3, 3: 4, 4: 4}

// pixels copies a bitmap out of PDFium, in grey.
func (e *engine) pixels(bitmap uint64) (picture, bool) {
	size := image.Pt(e.int("FPDFBitmap_GetWidth", bitmap), e.int("FPDFBitmap_GetHeight", bitmap))
	stride, wide := e.int("FPDFBitmap_GetStride", bitmap), bytesOf[e.int("FPDFBitmap_GetFormat", bitmap)]
	if size.X <= 0 || size.Y <= 0 || size.X*size.Y > maxPixels+maxPixels/10 || wide == 0 || stride < wide*size.X {
		return picture{}, false
	}
	view, ok := e.mem.Read(uint32(e.call("FPDFBitmap_GetBuffer", bitmap)), uint32(stride*size.Y))
	if !ok {
		return picture{}, false
	}
	out := make([]byte, size.X*size.Y)
	for y := range size.Y {
		row, dst := view[y*stride:], out[y*size.X:][:size.X]
		if wide == 1 {
			copy(dst, row)
			continue
		}
		for x := range dst {
			p := row[wide*x:]
			// The weights of ITU-R BT.601, in 256ths.
			dst[x] = byte((29*int(p[0]) + 150*int(p[1]) + 77*int(p[2])) >> 8)
		}
	}
	return picture{size, out}, true
}

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
		dst := out.pixels[y*size.X:][:size.X]
		for x, c := range columns {
			upper := int(top[c.at])*(256-c.part) + int(top[c.next])*c.part
			lower := int(low[c.at])*(256-c.part) + int(low[c.next])*c.part
			dst[x] = byte((upper*(256-row.part) + lower*row.part + 1<<15) >> 16)
		}
	}
	return out
}

// place is a position between the neighboring pixels at and next, part/256 of the way
// from at to next.
type place struct{ at, next, part int }

// places returns the positions of n points that are spread evenly over a row of over
// pixels.
func places(excess, n int) []place {
	out := make([]place, n)
	for i := range out {
		height := min(max((float64(i)+0.5)*float64(excess)/float64(n)-0.5, 0), float64(excess-1))
		whole := int(height)
		out[i] = place{whole, min(whole+1, excess-1), int((height - float64(whole)) * 256)}
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
