package segment

import (
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// spot is a rectangle on a page.
type spot struct {
	page int
	rect law.Rect
}

// spotOf identifies a line by its page and its last word, which stay the same if its beginning is cut off.
func spotOf(l layout.Line) spot {
	return spot{l.Page, l.Words[len(l.Words)-1].Rect}
}
