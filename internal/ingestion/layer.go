package ingestion

import "vigueur/internal/layout"

// wantsOCR tells whether a page's words are better read from its picture.
func wantsOCR(p layout.Page) bool { return p.Layer() != layout.Good }

// better gives the more French of a page's layer and what was recognized.
func better(layer, seen layout.Page) layout.Page { return layout.Better(layer, seen) }
