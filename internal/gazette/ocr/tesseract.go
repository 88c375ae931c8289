package ocr

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"vigueur/internal/gazette/layout"
)

// job is the recognition of one page.
type job struct {
	Reader
	program string
	dpi     float64
}

// Page segmentation modes of Tesseract.
const (
	psmOrientation = "0"
	psmAutomatic   = "3" // finds columns by itself
	psmBlock       = "6" // one column of lines
)

// recognize returns the words, in points on the upright picture, by how many degrees
// this picture leans, and the turn of the text in img.
func (j job) recognize(ctx context.Context, img *image.Gray) ([]layout.Word, float64, layout.Turn, error) {
	words, skew, err := j.straight(ctx, img)
	if err != nil || legible(words) {
		return words, skew, layout.Upright, err
	}
	turn, err := j.orientation(ctx, img)
	if err != nil || turn == layout.Upright {
		return words, skew, layout.Upright, nil // upright, or too little text to detect the orientation
	}
	again, skewAgain, err := j.straight(ctx, unturn(img, turn))
	if err != nil {
		return nil, 0, 0, err
	}
	if better(again, words) {
		return again, skewAgain, turn, nil
	}
	return words, skew, layout.Upright, nil
}

// legible reports whether words look like French.
func legible(words []layout.Word) bool {
	return len(words) > 0 && layout.Judge(words).Stop >= 0.2
}

// better reports whether a reads more like text than b.
func better(a, b []layout.Word) bool {
	x, y := layout.Judge(a), layout.Judge(b)
	return x.Stop*float64(x.Words) > y.Stop*float64(y.Words)
}

// straight recognizes a picture whose text runs from left to right. It straightens the
// picture before if it leans by more than bearable.
func (j job) straight(ctx context.Context, img *image.Gray) ([]layout.Word, float64, error) {
	skew := skewOf(img)
	turned := 0.0
	if math.Abs(skew) > bearable {
		img, turned = lean(img, -skew), skew
	}
	out, err := j.run(ctx, img, "-l", language, "--psm", psmAutomatic, "tsv")
	if err != nil {
		return nil, 0, err
	}
	words := parseTSV(out, 72/j.dpi)
	size := img.Rect.Size()
	w, h := float64(size.X)*72/j.dpi, float64(size.Y)*72/j.dpi
	for i := range words {
		words[i].Rect = layout.Lean(words[i].Rect, turned, w, h)
	}
	return words, skew, nil
}

// orientation asks Tesseract for the turn of the text of img.
func (j job) orientation(ctx context.Context, img *image.Gray) (layout.Turn, error) {
	out, err := j.run(ctx, img, "--psm", psmOrientation)
	if err != nil {
		return 0, err
	}
	return parseOrientation(out), nil
}

// parseOrientation returns the turn of the text according to Tesseract's report. The
// report's « Rotate » is by how many degrees clockwise the picture must be turned to
// make the text upright, so the text is turned by 360 degrees less this number.
func parseOrientation(report []byte) layout.Turn {
	for line := range strings.Lines(string(report)) {
		if v, ok := strings.CutPrefix(line, "Rotate:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(v))
			if err == nil && n%90 == 0 && n >= 0 && n < 360 {
				return layout.Turn((4 - n/90) % 4)
			}
		}
	}
	return layout.Upright
}

// run starts tesseract on img and returns its output.
func (j job) run(ctx context.Context, img *image.Gray, args ...string) ([]byte, error) {
	args = append([]string{"stdin", "stdout", "--dpi", strconv.Itoa(int(j.dpi + 0.5))}, args...)
	cmd, err := j.command(ctx, j.program, args...)
	if err != nil {
		return nil, err
	}
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pgm(img), &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("tesseract: %w: %.300s", err, said.String())
	}
	return out.Bytes(), nil
}

// pgm returns img as a portable grey map, an uncompressed format that is quick to write.
func pgm(img *image.Gray) *bytes.Buffer {
	size := img.Rect.Size()
	b := bytes.NewBuffer(make([]byte, 0, size.X*size.Y+32))
	fmt.Fprintf(b, "P5\n%d %d\n255\n", size.X, size.Y)
	for y := range size.Y {
		b.Write(img.Pix[y*img.Stride:][:size.X])
	}
	return b
}
