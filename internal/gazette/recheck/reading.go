package recheck

import (
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/segment"
)

// reading is what was read of a piece.
type reading struct {
	piece
	lines [][]layout.Word
	heads []int // indexes in lines: heads of missing articles
}

// find notes the lines that are heads of missing articles, from number next to number to, in
// order, and takes off the dirt before them. It returns the number that may come next.
func (r *reading) find(next, to int) int {
	for i, words := range r.lines {
		texts := make([]string, len(words))
		for k, w := range words {
			texts[k] = w.Text
		}
		n, dirt := segment.HeadIn(texts)
		if n < next || n > to {
			continue
		}
		r.lines[i] = words[dirt:]
		r.heads = append(r.heads, i)
		next = n + 1
	}
	return next
}

// whole puts all of the reading in the place of the piece's words, if it has as much French.
func (r reading) whole(page layout.Page) ([]layout.Word, bool) {
	var old []layout.Word
	rest := slices.DeleteFunc(slices.Clone(page.Words), func(w layout.Word) bool {
		in := r.holds(page, w.Rect)
		if in {
			old = append(old, w)
		}
		return in
	})
	words := slices.Concat(r.lines...)
	return append(rest, words...), french(words) >= french(old)
}

// french is how many small words of French are among words, those that are misread taken off.
func french(words []layout.Word) float64 {
	q := layout.Judge(words)
	return (q.Stop - q.Odd) * float64(q.Words)
}

// headsOnly puts the heads alone in the place of what stands at their height.
func (r reading) headsOnly(page layout.Page) ([]layout.Word, bool) {
	words := slices.Clone(page.Words)
	for _, h := range r.heads {
		line := straightLine(page, layout.Line{Words: r.lines[h]})
		words = slices.DeleteFunc(words, func(w layout.Word) bool {
			s := ocr.Straight(page, w.Rect)
			middle := (s[1] + s[3]) / 2
			return r.holds(page, w.Rect) && middle > line[1] && middle < line[3]
		})
		words = append(words, r.lines[h]...)
	}
	return words, true
}
