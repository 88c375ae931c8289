package flat

import (
	"cmp"
	"slices"
	"sync"

	"vigueur/internal/french"
)

// want is one term of a question.
type want struct {
	name   string
	weight float64
	kin    int // compared by pieces too, with so many words at most; 0: not
}

// wants gives the terms of a question: its own words, the words of the law for
// them, and those of earlier turns, each once, with its weight. The words of the
// law for one phrase share that of its own words, however many there are: a phrase
// for which the law has three is asked no louder than its neighbors.
func wants(q Query, lexicon *french.Lexicon, t tuning) []want {
	var out []want
	seen := make(map[string]bool)
	add := func(name string, kin int, weight float64) {
		if !seen[name] {
			seen[name] = true
			out = append(out, want{name, weight, kin})
		}
	}
	kinOf := func(x french.Token) int {
		if x.Kind != french.Word {
			return 0
		}
		return t.kin
	}
	var terms []string
	for _, x := range french.Analyze(q.Text) {
		if !x.Stop {
			terms = append(terms, x.Term)
			add(x.Term, kinOf(x), 1)
		}
	}
	for _, m := range lexicon.Matches(terms) {
		legal := slices.Concat(m.Legal...)
		for _, x := range legal {
			add(x, t.legalKin, t.legal*float64(m.End-m.Start)/float64(len(legal)))
		}
	}
	for _, x := range french.Analyze(q.Earlier) {
		if !x.Stop {
			add(x.Term, kinOf(x), t.earlier)
		}
	}
	return out
}

// kin is a word of the index that resembles one of the question.
type kin struct {
	name string
	like float64 // 1 for the word itself
}

// kindred gives the words of the index that share enough pieces with the one that
// is wanted, the likest first, at most as many as it wants. The word itself is
// among them.
func (s *snapshot) kindred(w want, t tuning) []kin {
	switch {
	case s.world != nil:
		return s.world.kindred(w, t)
	case w.kin == 0:
		return nil
	}
	return s.kinships.of(wording{w.name, w.kin}, func() []kin { return s.resembling(w, t) })
}

// kinships are the words that resemble those which questions asked of one
// snapshot: the same few words are in most questions.
type kinships struct {
	mu    sync.Mutex
	known map[wording][]kin
}

// mostKinships bounds the words that are remembered.
const mostKinships = 4096

// of gives those of a word, which find tells when they are not known. Nobody may
// change what it gives.
func (k *kinships) of(w wording, find func() []kin) []kin {
	k.mu.Lock()
	found, known := k.known[w]
	k.mu.Unlock()
	if known {
		return found
	}
	found = find()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil || len(k.known) == mostKinships {
		k.known = make(map[wording][]kin)
	}
	k.known[w] = found
	return found
}

// resembling looks for them.
func (s *snapshot) resembling(w want, t tuning) []kin {
	grams := french.Grams(nil, w.name)
	var found []kin
	seen := make(map[string]bool)
	for _, v := range s.views {
		for id, shared := range v.TermsSharing(grams) {
			passages, pieces := v.Frequency(id)
			like := french.Likeness(shared, len(grams), int(pieces))
			if like < t.likeness || passages <= v.DeletedCounts[id] {
				continue
			}
			if name := v.Term(id).Name; !seen[name] {
				seen[name] = true
				found = append(found, kin{name, like})
			}
		}
	}
	slices.SortFunc(found, func(a, b kin) int {
		return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.name, b.name))
	})
	return slices.Clone(found[:min(len(found), w.kin)])
}
