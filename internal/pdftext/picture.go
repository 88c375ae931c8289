package pdftext

import (
	"errors"
	"image"
	"math"

	"vigueur/internal/page"
)

// Kinds of page objects of PDFium.
const (
	objText  = 1
	objImage = 3
	objForm  = 5
)

// maxObjects bounds how many objects of a page are looked at for pictures: a
// scan has one, a drawing with ten thousand strokes is none.
const maxObjects = 5000

// maxPixels bounds a rendered picture: A3 at 300 dpi has 17 million.
const maxPixels = 40_000_000

// pictures looks for what is painted on a loaded page besides text: whether
// there is anything, and the largest image with its resolution.
func (e *engine) pictures(h uint64, f frame, p *page.Page) {
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

// form looks into a form object, one level deep: scanners wrap their image in
// one. Places inside a form are in its own coordinates, so its box stands for
// the image's.
func (e *engine) form(form uint64, f frame, area float64, p *page.Page) {
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

// picture notes an image that stands where the object placed does.
func (e *engine) picture(obj, placed uint64, f frame, area float64, p *page.Page) {
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
	// The diagonal needs no regard to how the image is turned.
	pixels := math.Hypot(float64(e.uint32At(4)), float64(e.uint32At(5)))
	if points := math.Hypot(r[2]-r[0], r[3]-r[1]); points > 0 {
		p.DPI = pixels * 72 / points
	}
}

var errRender = errors.New("page cannot be rendered")

// Rendering flags of PDFium.
const (
	renderAnnotations = 0x01
	renderGray        = 0x08
)

// render paints page n in grey at dpi, lower when the picture would be larger
// than maxPixels, and gives its pixels, a byte each, row by row.
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
		pixels, err = e.paint(h, size)
	})
	return size, pixels, err
}

// paint renders a loaded page onto white.
func (e *engine) paint(h uint64, size image.Point) ([]byte, error) {
	bitmap := e.call("FPDFBitmap_Create", uint64(size.X), uint64(size.Y), 0)
	if bitmap == 0 {
		return nil, errRender
	}
	defer e.call("FPDFBitmap_Destroy", bitmap)
	e.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(size.X), uint64(size.Y), 0xFFFFFFFF)
	e.call("FPDF_RenderPageBitmap", bitmap, h, 0, 0, uint64(size.X), uint64(size.Y), 0, renderAnnotations|renderGray)
	stride := e.int("FPDFBitmap_GetStride", bitmap)
	buffer := uint32(e.call("FPDFBitmap_GetBuffer", bitmap))
	view, ok := e.mem.Read(buffer, uint32(stride*size.Y))
	if !ok || stride < 4*size.X {
		return nil, errRender
	}
	out := make([]byte, size.X*size.Y)
	for y := range size.Y {
		row := view[y*stride:]
		for x := range size.X {
			out[y*size.X+x] = row[4*x]
		}
	}
	return out, nil
}
