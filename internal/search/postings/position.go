package postings

import (
	"hash/fnv"
	"math"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// Position is the position of an article in its text.
type Position struct {
	Section uint32 // hash of the headings above it, comparable within a text
	Order   uint16 // number among the articles under them, from 1; 0 for no article
}

// sections numbers the articles of one text within their sections, while its passages are added in order.
type sections struct {
	last   map[uint32]uuid.UUID // by section, the last article
	orders map[uint32]uint16    // by section, the number of the last article
}

func newSections() sections {
	return sections{last: make(map[uint32]uuid.UUID), orders: make(map[uint32]uint16)}
}

func (s sections) clear() {
	clear(s.last)
	clear(s.orders)
}

// positionOf returns the position of the next passage.
func (s sections) positionOf(r postgres.IndexRow) Position {
	h := fnv.New32a()
	for _, heading := range r.Path {
		_, _ = h.Write([]byte(heading)) // never fails
		_, _ = h.Write([]byte{0})
	}
	at := Position{Section: h.Sum32()}
	if r.ArticleNumber == "" {
		return at
	}
	if article := r.Passage.ArticleID; s.last[at.Section] != article && s.orders[at.Section] < math.MaxUint16 {
		s.last[at.Section] = article
		s.orders[at.Section]++
	}
	at.Order = s.orders[at.Section]
	return at
}
