package flat

import (
	"math/bits"
	"slices"
	"sync"
)

// shares are what the pieces of one word, with those of all the words that
// resemble it, are of each passage of a segment, whatever the word weighs. A few
// words are in most questions and in most passages, and many resemble them: to
// add them up anew is most of what a search would cost. Never changed once known.
type shares struct {
	of     wording
	others []kin
	scale  scale
	parts  []part // per window
	used   uint64 // when last
}

// wording is a word as questions ask for it: with so many that resemble it at most.
type wording struct {
	name string
	kin  int
}

// scale is what shares depend on besides the words.
type scale struct {
	window   uint32
	headings float32
}

// part is a window's: the passages that hold any of the words, and of each in
// turn its share.
type part struct {
	holders []uint64
	shares  []portion
}

// bytes is the room that shares take.
func (s *shares) bytes() (n int) {
	for _, p := range s.parts {
		n += 8*len(p.holders) + 2*len(p.shares)
	}
	return n
}

// add adds the shares to a window's lines, as much as the word weighs, and to the
// found ones its holders.
func (p *part) add(lines []line, found []uint64, weight float32) {
	rest := p.shares
	for k, word := range p.holders {
		found[k] |= word
		for ; word != 0; word &= word - 1 {
			l := &lines[k*64+bits.TrailingZeros64(word)]
			l.pieces += float32(weight * rest[0].value())
			rest = rest[1:]
		}
	}
}

// plan is how a clause is added in one view.
type plan struct {
	word   uint32   // its term there, or noTerm
	others []uint32 // theirs
	known  *shares  // nil: to be added up
	wanted *shares  // to be filled then; nil: they are not
}

// keep gives where the shares of a window go, nil when they are not wanted.
func (p *plan) keep(w window, holders []uint64) *part {
	if p.wanted == nil {
		return nil
	}
	n := 0
	for _, word := range holders {
		n += bits.OnesCount64(word)
	}
	to := &p.wanted.parts[w.from/p.wanted.scale.window]
	to.holders, to.shares = slices.Clone(holders[:wordsFor(int(w.to-w.from))]), make([]portion, 0, n)
	return to
}

// plan looks up the terms of the clauses in all views, and what is kept of them.
func (x *searcher) plan() {
	by := scale{x.window, float32(x.headings)}
	for _, v := range x.views {
		of := make([]plan, 0, len(x.clauses))
		for i := range x.clauses {
			c, n := &x.clauses[i], 0
			p := plan{word: v.number(c.name)}
			for _, k := range c.others {
				t := v.number(k.name)
				p.others = append(p.others, t)
				if t != noTerm {
					n += int(v.terms[t].passages)
				}
			}
			if n*keptPart > len(v.segment.passages) && x.world == nil {
				if p.known, p.wanted = v.larder.find(c, by); p.wanted != nil {
					p.wanted.parts = make([]part, (len(v.segment.passages)+int(x.window)-1)/int(x.window))
				}
			}
			of = append(of, p)
		}
		x.plans = append(x.plans, of)
	}
}

// stock keeps the shares that were wanted and are there now.
func (x *searcher) stock() {
	for i, v := range x.views {
		for _, p := range x.plans[i] {
			if p.wanted != nil {
				v.larder.put(p.wanted, len(v.segment.passages))
			}
		}
	}
}

// larder keeps the shares of the words that a segment is asked for most, within
// its room.
type larder struct {
	mu    sync.Mutex
	words map[wording]*shares
	asked map[wording]bool // once: a word is kept from its second time on
	used  int              // bytes
	clock uint64
}

const (
	// keptRoom is what a segment keeps of shares, in bytes for each passage.
	keptRoom = 64
	// keptPart of the passages hold a word whose shares are worth keeping, at least.
	keptPart = 64
	// mostAsked bounds the words that are remembered to have been asked.
	mostAsked = 4096
)

// find gives the shares of a clause; others, which are to be filled and put
// here, when they are worth keeping; or nil.
func (l *larder) find(c *clause, by scale) (known, wanted *shares) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.words == nil {
		l.words, l.asked = make(map[wording]*shares), make(map[wording]bool)
	}
	if s := l.words[c.wording]; s != nil && s.scale == by && slices.Equal(s.others, c.others) {
		l.clock++
		s.used = l.clock
		return s, nil
	}
	if !l.asked[c.wording] {
		if len(l.asked) == mostAsked {
			clear(l.asked)
		}
		l.asked[c.wording] = true
		return nil, nil
	}
	return nil, &shares{of: c.wording, others: slices.Clone(c.others), scale: by}
}

// put keeps shares, and lets those go that have not been used for longest when
// there is no more room for so many passages.
func (l *larder) put(s *shares, passages int) {
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
