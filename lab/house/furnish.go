package house

import (
	"strconv"
	"strings"
)

// heads are the running heads and feet of an issue: left, middle and right, with
// « # » for the page's number and line feeds between their lines; those of even pages where they differ.
type heads struct {
	odd, even [3]string
	foot      [3]string
	first     bool
}

// furnish sets the running heads and feet of all pages. The first page of an
// issue with a masthead has none, unless heads.first says so.
func (w *press) furnish() {
	h := w.draft.heads
	for i := range w.issue.Pages {
		n := w.draft.first + i
		parts := h.odd
		if n%2 == 0 && h.even != [3]string{} {
			parts = h.even
		}
		if i > 0 || h.first {
			w.strip(i, parts, w.style.top-2.6*w.style.size, n)
		}
		if i > 0 || h.first || w.bare {
			w.strip(i, h.foot, w.style.page[1]-w.style.bottom+1.8*w.style.size, n)
		}
	}
}

// strip sets one running head or foot, its first line on the top y.
func (w *press) strip(at int, parts [3]string, y float64, n int) {
	s := w.style
	size := s.size * 0.95
	for i, part := range parts {
		part = strings.ReplaceAll(part, "#", strconv.Itoa(n))
		for k, line := range strings.Split(part, "\n") {
			if line == "" {
				continue
			}
			x := s.margin
			switch wide := s.measure(line, size, false); i {
			case 1:
				x = (s.page[0] - wide) / 2
			case 2:
				x = s.page[0] - s.margin - wide
			}
			for _, word := range strings.Fields(line) {
				wide := s.measure(word, size, false)
				w.word(at, &placed{text: word, x0: x, x1: x + wide, base: 0.9*size + float64(k)*size*1.15, size: size, label: Furniture, owner: -1}, 0, y)
				x += wide + s.measure(" ", size, false)
			}
		}
	}
}
