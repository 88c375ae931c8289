package ocr

import (
	"context"
	"fmt"
	"image"
	"math"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Setting is a way of recognizing a part of a page.
type Setting struct {
	DPI float64 // resolution at which the page is rendered
}

// Part recognizes a part of page p as one block of text. It returns the words line by line, from top to bottom, with
// positions on the page as displayed. part is in points on the straightened page, as Straight returns it. Words that
// its edges cut may be misread. Errors are those of Read, and ErrSpent if the budget runs out.
func (r Reader) Part(ctx context.Context, doc Renderer, p layout.Page, part law.Rect, s Setting) ([][]layout.Word, error) {
	program, err := r.program()
	if err != nil {
		return nil, err
	}
	ctx, done, err := r.Budget.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	img, err := doc.Render(ctx, p.Number, s.DPI)
	if err != nil {
		return nil, err
	}
	dpi := float64(img.Rect.Dx()) * 72 / max(p.Width, 1)
	if by := leans(p); by != 0 {
		img = lean(img, -by)
	}
	k := dpi / 72
	at := image.Rect(int(part[0]*k), int(part[1]*k), int(math.Ceil(part[2]*k)), int(math.Ceil(part[3]*k))).Intersect(img.Rect)
	if at.Empty() {
		return nil, nil
	}
	limit := r.within
	if limit == nil {
		limit = context.WithTimeout
	}
	within, cancel := limit(ctx, r.timeout())
	defer cancel()
	job := job{Reader: r, program: program, dpi: dpi}
	out, err := job.run(within, crop(img, at), "-l", language, "--psm", psmBlock, "tsv")
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, errs.Wrap(errs.Unprocessable, "La reconnaissance a échoué.", fmt.Errorf("part of page %d: %w", p.Number, err))
	}
	lines := parseLines(out, 1/k)
	for _, words := range lines {
		for i := range words {
			w := &words[i].Rect
			for j, from := range []int{at.Min.X, at.Min.Y, at.Min.X, at.Min.Y} {
				w[j] += float64(from) / k
			}
			*w = layout.Lean(*w, leans(p), p.Width, p.Height)
			for j := range w {
				w[j] = hundredth(w[j])
			}
		}
	}
	return lines, nil
}

// Straight returns the place of the rectangle r of page p after the page was straightened for recognition.
func Straight(p layout.Page, r law.Rect) law.Rect {
	return layout.Lean(r, -leans(p), p.Width, p.Height)
}

// leans returns by how many degrees a page is straightened.
func leans(p layout.Page) float64 {
	if math.Abs(p.Skew) <= bearable {
		return 0
	}
	return p.Skew
}

// crop returns a copy of a part of a picture.
func crop(img *image.Gray, part image.Rectangle) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, part.Dx(), part.Dy()))
	for y := range part.Dy() {
		copy(out.Pix[y*out.Stride:][:part.Dx()], img.Pix[(part.Min.Y+y)*img.Stride+part.Min.X:])
	}
	return out
}
