package pdftext

import (
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
