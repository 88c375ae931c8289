package memindex

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"vigueur/internal/search/postings"
)

// shares caches what one query word, with all words that resemble it, adds to the score of each passage of a segment,
// before the multiplication by the word's weight. This amount is called the word's share of the passage. A few words
// are in most questions and in most passages, and many other words resemble them, so adding them up again would take
// most of the time of a search. shares do not change after they are filled.
type shares struct {
	of     variantKey
	others []variant
	scale  scale
	parts  []part      // by window of the segment
	often  atomic.Bool // a passage contains the word more than mostOwn times
	used   uint64      // time of the last use, by shareCache.clock
}

// variantKey is a query word and the maximum number of variants that it may have.
type variantKey struct {
	name        string
	maxVariants int
}

// scale holds the parameters on which shares depend.
type scale struct {
	window   uint32
	headings float32
}

// part holds the shares of a window: the set of passages that contain any of the words and, for each passage in
// order, its share and how often it contains the word itself.
type part struct {
	holders []uint64
	shares  []postings.Share
	owns    []uint8
}

// mostOwn is the maximum number of occurrences of a word in one passage that can be cached. The shares of a word that
// occurs more often are not cached.
const mostOwn = math.MaxUint8

// bytes returns the size of the shares in memory.
func (s *shares) bytes() (n int) {
	for _, p := range s.parts {
		n += 8*len(p.holders) + 2*len(p.shares) + len(p.owns)
	}
	return n
}

// addKnown adds the cached shares of a word to the lines of a window: of all passages that contain it if the word
// selects, else of those that are already selected.
func (h *scorer) addKnown(c *clause, p *part, lines []line, found []uint64) {
	first := 0
	for k, holders := range p.holders {
		if c.selects {
			found[k] |= holders
			for word := holders; word != 0; word &= word - 1 {
				at := k*64 + bits.TrailingZeros64(word)
				h.addShare(c, at, &lines[at], p.shares[first], p.owns[first])
				first++
			}
			continue
		}
		for word := holders & found[k]; word != 0; word &= word - 1 {
			at := k*64 + bits.TrailingZeros64(word)
			nth := first + bits.OnesCount64(holders&(word&-word-1))
			h.addShare(c, at, &lines[at], p.shares[nth], p.owns[nth])
		}
		first += bits.OnesCount64(holders)
	}
}

// addShare adds the cached share of one passage.
func (h *scorer) addShare(c *clause, at int, l *line, share postings.Share, own uint8) {
	l.pieces += float32(c.pieces * share.Value())
	if own > 0 {
		l.words += float32(c.word * h.saturate(float32(own), h.norms[at%windowSize]))
		l.held += c.word
	}
}

// plan says how a clause is scored in one view.
type plan struct {
	word   uint32   // term of the word in this view, or noTerm
	others []uint32 // terms of the other words
	known  *shares  // cached shares, nil if there are none
	wanted *shares  // shares to fill for the cache, nil if they are not worth it
}

// partFor returns where to store the shares of a window, nil if they are not wanted.
func (p *plan) partFor(w window, holders []uint64) *part {
	if p.wanted == nil {
		return nil
	}
	n := 0
	for _, word := range holders {
		n += bits.OnesCount64(word)
	}
	to := &p.wanted.parts[w.from/p.wanted.scale.window]
	to.holders, to.shares, to.owns = slices.Clone(holders[:wordsFor(int(w.to-w.from))]), make([]postings.Share, 0, n), make([]uint8, 0, n)
	return to
}

// makePlans looks up the terms of the clauses in all views, and their cached shares.
func (x *searcher) makePlans() {
	by := scale{x.window, float32(x.headings)}
	for _, v := range x.views {
		of := make([]plan, 0, len(x.clauses))
		for i := range x.clauses {
			c := &x.clauses[i]
			p := plan{word: v.NumberOf(c.name)}
			n := v.PassagesWith(p.word)
			for _, k := range c.others {
				t := v.NumberOf(k.name)
				p.others = append(p.others, t)
				n += v.PassagesWith(t)
			}
			if c.compared && n*keptPart > len(v.Segment.Passages) && x.whole == nil {
				p.known, p.wanted = v.shareCache.lookup(c, by)
				if x.query.Filters.DocumentID != nil {
					p.wanted = nil // caching would need the words of all texts to search one
				}
				if p.wanted != nil {
					p.wanted.parts = make([]part, (len(v.Segment.Passages)+int(x.window)-1)/int(x.window))
				}
			}
			of = append(of, p)
		}
		x.plans = append(x.plans, of)
	}
}

// storeShares caches the shares that were filled.
func (x *searcher) storeShares() {
	for i, v := range x.views {
		for _, p := range x.plans[i] {
			if p.wanted != nil && !p.wanted.often.Load() {
				v.shareCache.store(p.wanted, len(v.Segment.Passages))
			}
		}
	}
}

// shareCache caches the shares of the most recently used words of a segment, up to keptRoom.
type shareCache struct {
	mu    sync.Mutex
	words map[variantKey]*shares
	used  int // in bytes
	clock uint64
}

const (
	// keptRoom is the maximum size of a segment's cache, in bytes per passage.
	keptRoom = 192
	// A word is only cached if more than one of keptPart passages contains it.
	keptPart = 64
)

// lookup returns the cached shares of a clause, or empty ones that the caller fills and stores.
func (l *shareCache) lookup(c *clause, by scale) (known, wanted *shares) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.words == nil {
		l.words = make(map[variantKey]*shares)
	}
	if s := l.words[c.variantKey]; s != nil && s.scale == by && slices.Equal(s.others, c.others) {
		l.clock++
		s.used = l.clock
		return s, nil
	}
	return nil, &shares{of: c.variantKey, others: slices.Clone(c.others), scale: by}
}

// store adds shares, and drops the least recently used ones if the cache is too large for the given number of
// passages.
func (l *shareCache) store(s *shares, passages int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.words[s.of]; old != nil {
		l.used -= old.bytes()
	}
	l.clock++
	s.used = l.clock
	l.words[s.of] = s
	l.used += s.bytes()
	for l.used > keptRoom*passages {
		var oldest *shares
		for _, x := range l.words {
			if oldest == nil || x.used < oldest.used {
				oldest = x
			}
		}
		l.used -= oldest.bytes()
		delete(l.words, oldest.of)
	}
}
