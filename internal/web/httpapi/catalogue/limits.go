package catalogue

import "time"

// Page sizes of a text's articles, without and with their words.
const (
	articlesMost     = 1000
	articlesReadMost = 100
)

// examplesShown is the number of examples that are listed.
const examplesShown = 3

const (
	// DrawMost is the maximum number of pages that a server renders at the same time. Each
	// is rendered by a process that may use as much memory as the largest page needs.
	DrawMost = 2
	// drawTimeout is the maximum time of rendering a page.
	drawTimeout = 7 * time.Second
	// pointsInch is the number of points per inch.
	pointsInch = 72
)

// pagesKept is how many images of pages a server keeps, keptSize the size of the largest in
// bytes; most have a third of it.
const pagesKept, keptSize = 128, 256 << 10

// Page size and maximum length of a search, in code points.
const (
	searchDefault = 20
	searchMost    = 50
	SearchLimit   = 200
)

// briefTime is how long a file to be checked may take to arrive.
const briefTime = 5 * time.Minute

// pendingMost is the maximum number of instructions in a list of days: as many as people read.
const pendingMost = 50
