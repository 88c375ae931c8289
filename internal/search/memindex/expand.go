package memindex

import (
	"cmp"
	"slices"
	"sync"

	"vigueur/internal/law/french"
)

// queryTerm is one term of a question.
type queryTerm struct {
	name        string
	weight      float64
	maxVariants int // maximum number of similar words that it is compared with, by pieces; 0 for none
}

// queryTerms returns the terms of a question with their weights: its own words, the words of the law for them, and
// those of earlier turns, each once. The words of the law for one phrase together have the weight t.legal of each
// of its own words, so a phrase with three of them weighs no more than its neighbors.
func queryTerms(q Query, lexicon *french.Lexicon, t tuning) []queryTerm {
	var out []queryTerm
	seen := make(map[string]bool)
	addTerm := func(name string, kin int, weight float64) {
		if !seen[name] {
			seen[name] = true
			out = append(out, queryTerm{name, weight, kin})
		}
	}
	kinOf := func(x french.Token) int {
		if x.Kind != french.Word {
			return 0
		}
		return t.maxVariants
	}
	var terms []string
	for _, x := range french.Analyze(q.Text) {
		if !x.Stop {
			terms = append(terms, x.Term)
			addTerm(x.Term, kinOf(x), 1)
		}
	}
	for _, m := range lexicon.Matches(terms) {
		legal := slices.Concat(m.Legal...)
		for _, x := range legal {
			addTerm(x, t.maxLegalVariants, t.legal*float64(m.End-m.Start)/float64(len(legal)))
		}
	}
	for _, x := range french.Analyze(q.Earlier) {
		if !x.Stop {
			addTerm(x.Term, kinOf(x), t.earlier)
		}
	}
	return out
}

// variant is a word of the index that resembles one of the question.
type variant struct {
	name string
	like float64 // similarity; 1 for the word itself
}

// variants returns the words of the index that share enough pieces with a term, including the term itself, the most
// similar first, at most w.maxVariants.
func (s *snapshot) variants(w queryTerm, t tuning) []variant {
	switch {
	case s.whole != nil:
		return s.whole.variants(w, t)
	case w.maxVariants == 0:
		return nil
	}
	return s.variantCache.get(variantKey{w.name, w.maxVariants}, func() []variant { return s.findVariants(w, t) })
}

// variantCache caches the variants of query words for one snapshot, because most questions use the same few words.
type variantCache struct {
	mu    sync.Mutex
	known map[variantKey][]variant
}

// maxCachedWords is the maximum number of words that are cached.
const maxCachedWords = 4096

// get returns the variants of a word, and calls find if they are not cached. Callers must not change the result.
func (k *variantCache) get(w variantKey, find func() []variant) []variant {
	k.mu.Lock()
	found, known := k.known[w]
	k.mu.Unlock()
	if known {
		return found
	}
	found = find()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil || len(k.known) == maxCachedWords {
		k.known = make(map[variantKey][]variant)
	}
	k.known[w] = found
	return found
}

// findVariants computes the result of variants.
func (s *snapshot) findVariants(w queryTerm, t tuning) []variant {
	grams := french.Grams(nil, w.name)
	var found []variant
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
				found = append(found, variant{name, like})
			}
		}
	}
	slices.SortFunc(found, func(a, b variant) int {
		return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.name, b.name))
	})
	return slices.Clone(found[:min(len(found), w.maxVariants)])
}
