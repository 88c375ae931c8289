package memindex

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"vigueur/internal/search/postings"
)

// shares caches what one query word, with all words that resemble it, adds to each
// passage of a segment, before the word's weight. A few words are in most questions and
// in most passages, and many other words resemble them: adding them up again would be
// most of the cost of a search. Immutable once filled.
type shares struct {
	of     variantKey
	others []variant
	scale  scale
	parts  []part      // per window
	often  atomic.Bool // a passage holds the word more than mostOwn times
	used   uint64      // when last
}

// variantKey is a word as questions ask for it: with so many variants at most.
type variantKey struct {
	name        string
	maxVariants int
}

// scale is what shares depend on besides the words.
type scale struct {
	window   uint32
	headings float32
}

// part is a window's: the passages that hold any of the words, and of each in
// turn its share, and how often it holds the word itself.
type part struct {
	holders []uint64
	shares  []postings.Share
	owns    []uint8
}

// mostOwn is the greatest number of occurrences of a word in one passage for which its
// shares are cached.
const mostOwn = math.MaxUint8

// bytes is the room that shares take.
func (s *shares) bytes() (n int) {
	for _, p := range s.parts {
		n += 8*len(p.holders) + 2*len(p.shares) + len(p.owns)
	}
	return n
}

// addKnown adds a word whose shares are kept to a window's lines: where it finds,
// to all that hold it, else to what is found already.
func (h *scorer) addKnown(c *clause, p *part, lines []line, found []uint64) {
	first := 0
	for k, holders := range p.holders {
		if c.finds {
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

// addShare adds what is kept of one passage.
func (h *scorer) addShare(c *clause, at int, l *line, share postings.Share, own uint8) {
	l.pieces += float32(c.pieces * share.Value())
	if own > 0 {
		l.words += float32(c.word * h.saturated(float32(own), h.norms[at%windowSize]))
		l.held += c.word
	}
}

// plan says how a clause is scored in one view.
type plan struct {
	word   uint32   // its term there, or noTerm
	others []uint32 // theirs
	known  *shares  // nil: to be added up
	wanted *shares  // to be filled then; nil: they are not
}

// keep returns where the shares of a window go, nil when they are not wanted.
func (p *plan) keep(w window, holders []uint64) *part {
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

// plan looks up the terms of the clauses in all views, and what is kept of them.
func (x *searcher) plan() {
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
			if c.compared && n*keptPart > len(v.Segment.Passages) && x.world == nil {
				p.known, p.wanted = v.shareCache.lookup(c, by)
				if x.query.Filters.DocumentID != nil {
					p.wanted = nil // it would take the words of all texts to look into one
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

// storeShares caches the shares that were wanted and are there now.
func (x *searcher) storeShares() {
	for i, v := range x.views {
		for _, p := range x.plans[i] {
			if p.wanted != nil && !p.wanted.often.Load() {
				v.shareCache.store(p.wanted, len(v.Segment.Passages))
			}
		}
	}
}

// shareCache keeps the shares of the words that a segment is asked for most, within
// its room.
type shareCache struct {
	mu    sync.Mutex
	words map[variantKey]*shares
	used  int // bytes
	clock uint64
}

const (
	// keptRoom is what a segment keeps of shares, in bytes for each passage.
	keptRoom = 192
	// keptPart of the passages hold a word whose shares are worth keeping, at least.
	keptPart = 64
)

// lookup returns the shares of a clause, or empty ones that are to be filled and
// stored here.
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

// store keeps shares, and drops those that have not been used for longest when there
// is no more room for so many passages.
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
