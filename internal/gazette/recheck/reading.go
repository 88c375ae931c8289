package recheck

import (
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
)

// reading is a second reading of a piece.
type reading struct {
	piece
	lines [][]layout.Word
	heads []int // indexes in lines of the heads of missing articles
}

// findHeads sets heads to the lines that are heads of the gap's articles, in increasing order. It returns what remains
// of the gap.
func (r *reading) findHeads(gap heads.Gap) heads.Gap {
	for i, words := range r.lines {
		h, ok := heads.In(layout.Line{Words: words}.Text())
		if !ok {
			continue
		}
		rest, ok := gap.After(h)
		if !ok {
			continue
		}
		gap = rest
		r.heads = append(r.heads, i)
	}
	return gap
}

// replaceWhole replaces the piece's words by the reading. It returns false if the reading contains less French.
func (r reading) replaceWhole(page layout.Page) ([]layout.Word, bool) {
	var old []layout.Word
	rest := slices.DeleteFunc(slices.Clone(page.Words), func(w layout.Word) bool {
		in := r.contains(page, w.Rect)
		if in {
			old = append(old, w)
		}
		return in
	})
	words := slices.Concat(r.lines...)
	return append(rest, words...), french(words) >= french(old)
}

// french returns the number of small French words among words, minus those that are misread.
func french(words []layout.Word) float64 {
	q := layout.Judge(words)
	return (q.Stop - q.Odd) * float64(q.Words)
}

// headsOnly replaces the words at the height of each head by the head alone.
func (r reading) headsOnly(page layout.Page) ([]layout.Word, bool) {
	words := slices.Clone(page.Words)
	for _, h := range r.heads {
		line := straightLine(page, layout.Line{Words: r.lines[h]})
		words = slices.DeleteFunc(words, func(w layout.Word) bool {
			s := ocr.Straight(page, w.Rect)
			middle := (s[1] + s[3]) / 2
			return r.contains(page, w.Rect) && middle > line[1] && middle < line[3]
		})
		words = append(words, r.lines[h]...)
	}
	return words, true
}
