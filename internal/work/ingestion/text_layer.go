package ingestion

import "vigueur/internal/gazette/layout"

// wantsOCR reports whether a page's text layer is so bad that OCR must be tried.
func wantsOCR(p layout.Page) bool { return p.Layer() != layout.Good }

// better returns whichever reads more like French: the text layer or the OCR.
func better(layer, seen layout.Page) layout.Page { return layout.Better(layer, seen) }
