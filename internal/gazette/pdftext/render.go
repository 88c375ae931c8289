package pdftext

import (
	"errors"
	"image"
	"math"
)

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
		row, to := view[y*stride:], out[y*size.X:][:size.X]
		if wide == 1 {
			copy(to, row)
			continue
		}
		for x := range to {
			p := row[wide*x:]
			// The weights of ITU-R BT.601, in 256ths.
			to[x] = byte((29*int(p[0]) + 150*int(p[1]) + 77*int(p[2])) >> 8)
		}
	}
	return picture{size, out}, true
}
