package memindex

import (
	"math/bits"
	"sync"

	"vigueur/internal/search/postings"
)

// window is a range of passages of one view that are scored together, term by term, so that their sums stay in a
// core's cache.
type window struct {
	view     int
	from, to uint32
}

const (
	windowSize  = 4096
	windowWords = windowSize / 64
)

// scorer is the state of one goroutine of a search. It processes windows in ascending order.
type scorer struct {
	*searcher
	sums    [windowSize]sum // by passage of the window, the occurrences of the current word
	touched [windowWords]uint64
	norms   [windowSize]float32 // BM25 norms of the passages of the current window
	owns    [windowSize]uint8   // how often the passages contain the current word, if its shares are to be cached
	room    [postings.BatchSize]postings.Posting
	cursors []postings.Cursor // of the clauses, in order, in the current view
	view    int               // the current view; -1 for none
	most    line              // greatest score of each channel among the admitted passages
	first   ranking
	more    ranking

	distances []uint16
	histogram []int // number of passages by distance of their nearest sketch
	lacks     bool  // a passage lacks its vectors
}

// sum is how often a passage contains a word and the words that resemble it.
type sum struct{ body, heads float32 }

var scorerPool sync.Pool

// open moves the cursors to the beginning of a view.
func (h *scorer) open(view int) {
	h.view, h.cursors = view, h.cursors[:0]
	of := h.views[view].Segment
	for i := range h.plans[view] {
		p := &h.plans[view][i]
		h.cursors = append(h.cursors, of.Cursor(p.word, 1))
		for k, t := range p.others {
			h.cursors = append(h.cursors, of.Cursor(t, float32(h.clauses[i].others[k].like)))
		}
	}
}

// scoreWindow scores the passages of a window by words and by pieces: those that contain a selecting word and, if
// meaning counts, those near in meaning.
func (h *scorer) scoreWindow(w window, meant bool) {
	if h.view != w.view {
		h.open(w.view)
	}
	g := &h.perView[w.view]
	for p, length := range h.views[w.view].Lengths[w.from:w.to] {
		h.norms[p%windowSize] = h.normOf[length]
	}
	found, lines, lists := g.found[w.from/64:], g.lines[w.from:w.to], h.cursors
	if meant && h.comparison != nil {
		h.findNear(w)
	}
	for i := range h.clauses {
		c, p := &h.clauses[i], &h.plans[w.view][i]
		others := lists[1 : 1+len(p.others)]
		if p.known != nil {
			h.addKnown(c, &p.known.parts[w.from/h.window], lines, found)
		} else {
			h.addWord(w, c, &lists[0], p)
			for k := range others {
				h.addSimilar(w, &others[k], c.selects || p.wanted != nil)
			}
			if c.compared {
				h.addPieces(w, c, p.partFor(w, h.touched[:]))
			}
		}
		lists = lists[1+len(p.others):]
	}
	h.finish(w)
}

// findNear selects the passages that are near in meaning.
func (h *scorer) findNear(w window) {
	g, limit := &h.perView[w.view], uint16(h.limit)
	for p := w.from; p < w.to; p++ {
		if g.nearest[p] <= limit {
			setBit(g.found, p)
		}
	}
}

// addWord adds the BM25F share of the word itself and, if pieces follow, stores its occurrences.
func (h *scorer) addWord(w window, c *clause, list *postings.Cursor, p *plan) {
	found, lines := h.perView[w.view].found[w.from/64:], h.perView[w.view].lines[w.from:w.to]
	list.Seek(w.from)
	for n := list.Fill(w.to, &h.room); n > 0; n = list.Fill(w.to, &h.room) {
		for _, at := range h.room[:n] {
			at0 := at.Passage - w.from
			body, heads := at.Packed&postings.MaxBody, at.Packed>>postings.BodyBits
			if c.selects {
				setBit(found, at0)
			}
			if c.selects || hasBit(found, at0) {
				l := &lines[at0]
				l.words += float32(c.word * h.saturate(float32(body+heads), h.norms[at0%windowSize]))
				l.held += c.word
			} else if p.wanted == nil {
				continue
			}
			if c.compared {
				h.sums[at0%windowSize] = sum{float32(body), float32(heads)}
				setBit(h.touched[:], at0)
			}
			if p.wanted != nil {
				h.owns[at0%windowSize] = uint8(min(body+heads, mostOwn))
				if body+heads > mostOwn {
					p.wanted.often.Store(true)
				}
			}
		}
	}
}

// addSimilar adds the occurrences of a word that resembles the current one, in all passages or in the selected ones.
func (h *scorer) addSimilar(w window, list *postings.Cursor, all bool) {
	found := h.perView[w.view].found[w.from/64:]
	list.Seek(w.from)
	for n := list.Fill(w.to, &h.room); n > 0; n = list.Fill(w.to, &h.room) {
		for _, at := range h.room[:n] {
			p := at.Passage - w.from
			if !all && !hasBit(found, p) {
				continue
			}
			s := &h.sums[p%windowSize]
			s.body += float32(list.Likeness * float32(at.Packed&postings.MaxBody))
			s.heads += float32(list.Likeness * float32(at.Packed>>postings.BodyBits))
			setBit(h.touched[:], p)
		}
	}
}

// addPieces adds the share of a word with all words that resemble it, stores the shares in keep unless it is nil, and
// resets the sums.
func (h *scorer) addPieces(w window, c *clause, keep *part) {
	g := &h.perView[w.view]
	found, lines := g.found[w.from/64:], g.lines[w.from:w.to]
	passages := h.views[w.view].Segment.Passages[w.from:w.to]
	heads := float32(h.headings)
	for k := range wordsFor(len(lines)) {
		word := h.touched[k]
		if c.selects {
			found[k] |= word
		}
		h.touched[k] = 0
		for ; word != 0; word &= word - 1 {
			p := k*64 + bits.TrailingZeros64(word)
			s := &h.sums[p]
			share := passages[p].Norms.Share(s.body, s.heads, heads)
			*s = sum{}
			if keep != nil {
				keep.shares, keep.owns = append(keep.shares, share), append(keep.owns, h.owns[p])
				h.owns[p] = 0
			}
			if found[k]&(word&-word) != 0 {
				lines[p].pieces += float32(c.pieces * share.Value())
			}
		}
	}
}

// finish clears the passages that the query does not admit, and updates the greatest score of each channel.
func (h *scorer) finish(w window) {
	g, of := &h.perView[w.view], h.views[w.view].Segment.Passages
	docs, most := h.admitted[w.view], h.most
	for k := w.from / 64; k < (w.to+63)/64; k++ {
		for word := g.found[k]; word != 0; word &= word - 1 {
			p := k*64 + uint32(bits.TrailingZeros64(word))
			if x := &of[p]; !docs[x.Doc] || !x.InForce(h.on) {
				g.lines[p] = line{}
				clearBit(g.found, p)
				continue
			}
			most.raise(&g.lines[p])
		}
	}
	h.most = most
}
