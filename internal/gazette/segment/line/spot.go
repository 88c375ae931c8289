package line

import (
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// Spot is a rectangle on a page.
type Spot struct {
	Page int
	Rect law.Rect
}

// SpotOf identifies a line by its page and its last word, which stay the same if its beginning is cut off.
func SpotOf(l layout.Line) Spot {
	return Spot{l.Page, l.Words[len(l.Words)-1].Rect}
}
