package learn

import (
	"math/rand/v2"
	"slices"
)

const (
	windowWords = 160 // of a text that are read at once, about a passage
	flock       = 8   // pairs of a batch that come from one place of a code: near ones are hard to tell apart
	flockReach  = 60  // articles that such a place has
	layShare    = 0.5 // of the pairs of the lay stage; the others are of the law, so that it is not forgotten
)

// drawer draws pairs.
type drawer struct {
	*Corpus
	random *rand.Rand
	judged []int // sheets that are learned from and have articles
}

// window returns some words of a text from the beginning of a sentence on, under the
// words of a head.
func (d *drawer) window(head []int32, sentences [][]int32) []int32 {
	all := 0
	for _, s := range sentences {
		all += len(s)
	}
	from := 0
	if all > windowWords {
		from = d.random.IntN(len(sentences))
	}
	out := slices.Clone(head)
	for _, s := range sentences[from:] {
		if len(out)-len(head) >= windowWords {
			break
		}
		out = append(out, s...)
	}
	return out[:min(len(out), len(head)+windowWords)]
}

// law draws pairs from the codes.
func (d *drawer) law(n int) (out []pair) {
	for len(out) < n {
		around := d.random.IntN(len(d.Articles))
		for range flock {
			i := around + d.random.IntN(flockReach)
			if len(out) == n || i >= len(d.Articles) || d.Articles[i].Code != d.Articles[around].Code {
				break
			}
			if p, ok := d.ofArticle(i); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// ofArticle draws a pair of one article.
func (d *drawer) ofArticle(i int) (p pair, ok bool) {
	a := &d.Articles[i]
	if len(a.sentences) == 0 {
		return p, false
	}
	switch d.random.IntN(4) {
	case 0: // what follows says more about the same
		if a.next < 0 {
			return p, false
		}
		next := &d.Articles[a.next]
		p = pair{d.window(nil, a.sentences), d.window(nil, next.sentences), a.next, -1}
	case 1: // what is cited has to do with it
		if len(a.cites) == 0 {
			return p, false
		}
		k := a.cites[d.random.IntN(len(a.cites))]
		p = pair{d.window(nil, a.sentences), d.window(d.Articles[k].path, d.Articles[k].sentences), k, -1}
	case 2: // a sentence, and the rest
		if len(a.sentences) < 2 {
			return p, false
		}
		k := d.random.IntN(len(a.sentences))
		rest := slices.Concat(a.sentences[:k], a.sentences[k+1:])
		p = pair{a.sentences[k], d.window(a.path, rest), i, -1}
	default: // the headings, and what stands below
		p = pair{a.path, d.window(nil, a.sentences), i, -1}
	}
	return p, len(p.from) > 0 && len(p.to) > 0
}

// lay draws pairs from the sheets.
func (d *drawer) lay(n int) (out []pair) {
	for len(out) < n {
		s := d.judged[d.random.IntN(len(d.judged))]
		if p, ok := d.ofSheet(s); ok {
			out = append(out, p)
		}
	}
	return out
}

// ofSheet draws a pair of a sheet and an article that it rests on.
func (d *drawer) ofSheet(k int) (p pair, ok bool) {
	s := &d.Sheets[k]
	right := s.Right[d.random.IntN(len(s.Right))]
	a := &d.Articles[right]
	p = pair{d.said(s), d.window(a.path, a.sentences), right, k}
	return p, len(p.from) > 0 && len(p.to) > 0
}

// said is the title of a sheet, half the time, or what it says first, or a sentence.
func (d *drawer) said(s *Sheet) []int32 {
	switch by := d.random.IntN(4); {
	case by < 2 || len(s.sentences) == 0:
		return s.title
	case by == 2:
		return s.sentences[0]
	default:
		return s.sentences[d.random.IntN(len(s.sentences))]
	}
}
