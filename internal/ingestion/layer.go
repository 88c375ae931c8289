package ingestion

import "vigueur/internal/page"

// wantsOCR tells whether a page's words are better read from its picture.
func wantsOCR(p page.Page) bool { return p.Layer() != page.Good }

// better gives the more French of a page's layer and what was recognized.
func better(layer, seen page.Page) page.Page { return page.Better(layer, seen) }
