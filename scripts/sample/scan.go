package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"math/rand/v2"

	"codeberg.org/go-pdf/fpdf"
	"github.com/klauspost/compress/zlib"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	scanDPI  = 200
	scanBits = 2 // per pixel: four grays, as an office scanner set to « text » gives
	// Paper and ink as the scanner sees them, before they are cut to scanBits.
	paperGray, inkGray = 236, 40
	specksPerPage      = 260
	grayNoise          = 10 // ± on each pixel that is not plain paper
)

// skews are the tangents of the pages' tilts, in 1/65536: 0.2° to 0.6° to
// either side, as sheets lie in a feeder.
var skews = [...]int{420, -260, 610, -505, 330, -680, 240, -395}

// scanPDF makes the scanned twin of a PDF: an image a page, no text layer.
func (e *engine) scanPDF(is *issue, data []byte) (_ []byte, err error) {
	r, err := e.open(data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	pdf := newPDF(is)
	for i := range r.pages {
		img, err := r.scanPage(i)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("page%02d", i+1)
		pdf.AddPage()
		png, err := encodePNG(img)
		if err != nil {
			return nil, err
		}
		options := fpdf.ImageOptions{ImageType: "PNG"}
		pdf.RegisterImageOptionsReader(name, options, bytes.NewReader(png))
		// The strip that makes the image wider than the sheet falls off the page.
		width := pageWidth * float64(img.Rect.Dx()) / float64(img.Rect.Dx()-i)
		pdf.ImageOptions(name, 0, 0, width, pageHeight, false, options, 0, "")
	}
	var out bytes.Buffer
	err = pdf.Output(&out)
	return out.Bytes(), err
}

// scanPage renders a page and treats it as paper, feeder and scanner would.
func (r *reader) scanPage(index int) (*image.Gray, error) {
	got, err := r.instance.RenderPageInDPI(&requests.RenderPageInDPI{
		Page: r.page(index), DPI: scanDPI, ImageFormat: requests.RenderImageFormatGrayscale,
	})
	if err != nil {
		return nil, fmt.Errorf("pdfium: render page %d: %w", index+1, err)
	}
	defer got.Cleanup()
	clean, ok := got.Result.RenderedImage.(*image.Gray)
	if !ok {
		return nil, fmt.Errorf("pdfium: page %d was not rendered in gray", index+1)
	}
	// No two images may have one width: fpdf puts images of equal width into the
	// file in the random order of a map.
	img := skew(clean, index, skews[index%len(skews)])
	dirty(img, rand.New(rand.NewPCG(uint64(index)+1, 0x5ca7)))
	return img, nil
}

// skew turns an image about its middle by the angle of this tangent (in
// 1/65536). The cosine of less than a degree is taken for 1, which is right to
// within a tenth of a pixel over a page. Whole numbers only: the same bytes on
// every processor. The result is wider by so many pixels on the right.
func skew(src *image.Gray, wider, tangent int) *image.Gray {
	b := src.Bounds()
	dst := image.NewGray(image.Rect(0, 0, b.Dx()+wider, b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() + wider {
			sx := x<<16 + (y-b.Dy()/2)*tangent
			sy := y<<16 - (x-b.Dx()/2)*tangent
			dst.Pix[y*dst.Stride+x] = sample(src, sx, sy)
		}
	}
	return dst
}

// sample is the bilinear gray at a point in 1/65536 pixel; paper outside.
func sample(src *image.Gray, sx, sy int) byte {
	x, y := sx>>16, sy>>16
	fx, fy := (sx>>8)&255, (sy>>8)&255
	top := at(src, x, y)*(256-fx) + at(src, x+1, y)*fx
	foot := at(src, x, y+1)*(256-fx) + at(src, x+1, y+1)*fx
	return byte((top*(256-fy) + foot*fy) >> 16)
}

func at(src *image.Gray, x, y int) int {
	b := src.Bounds()
	if x < 0 || y < 0 || x >= b.Dx() || y >= b.Dy() {
		return 255
	}
	return int(src.Pix[y*src.Stride+x])
}

// dirty grays paper and ink, makes the edges of the letters uneven and strews
// specks of dust.
func dirty(img *image.Gray, random *rand.Rand) {
	for i, p := range img.Pix {
		v := inkGray + int(p)*(paperGray-inkGray)/255
		if p < 250 {
			v += random.IntN(2*grayNoise+1) - grayNoise
		}
		img.Pix[i] = byte(v)
	}
	for range specksPerPage {
		x, y := random.IntN(img.Rect.Dx()-1), random.IntN(img.Rect.Dy()-1)
		gray := byte(90 + random.IntN(80))
		img.Pix[y*img.Stride+x] = gray
		if random.IntN(3) == 0 {
			img.Pix[y*img.Stride+x+1] = gray
		}
	}
}

// encodePNG packs an image into scanBits a pixel. The compressor is a module,
// not the toolchain's, so that go.mod pins its output.
func encodePNG(img *image.Gray) ([]byte, error) {
	var raw bytes.Buffer
	z, err := zlib.NewWriterLevel(&raw, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	for y := range img.Rect.Dy() {
		line := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()]
		if _, err := z.Write(append([]byte{0}, packLine(line)...)); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	head := make([]byte, 0, 13)
	head = binary.BigEndian.AppendUint32(head, uint32(img.Rect.Dx()))
	head = binary.BigEndian.AppendUint32(head, uint32(img.Rect.Dy()))
	chunk(out, "IHDR", append(head, scanBits, 0, 0, 0, 0))
	chunk(out, "IDAT", raw.Bytes())
	chunk(out, "IEND", nil)
	return out.Bytes(), nil
}

// packLine rounds grays to scanBits and packs them, leftmost pixel highest.
func packLine(line []byte) []byte {
	const perByte, top = 8 / scanBits, 1<<scanBits - 1
	packed := make([]byte, (len(line)+perByte-1)/perByte)
	for x, p := range line {
		level := (int(p)*top + 127) / 255
		packed[x/perByte] |= byte(level << (8 - scanBits - scanBits*(x%perByte)))
	}
	return packed
}

func chunk(out *bytes.Buffer, kind string, data []byte) {
	body := append([]byte(kind), data...)
	size := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out.Write(size)
	out.Write(body)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}
