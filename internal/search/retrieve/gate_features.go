package retrieve

import (
	"math"
	"sync"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
)

// builtinWords returns the word vectors that are embedded in the program.
var builtinWords = sync.OnceValues(encode.New)

// wordVectors returns the vectors that say which words are similar in meaning, or nil if
// there are none.
func (s *Searcher) wordVectors() *encode.Encoder {
	if s.Words != nil {
		return s.Words
	}
	carried, err := builtinWords()
	if err != nil {
		return nil // rank.Builtin already stops a program whose embedded weights cannot be read
	}
	return carried
}

// gateFeatures sets the features of an article that only the gate uses: the share of the
// question covered if words with similar meanings count, and the share covered within one
// window of the article. They take longer to compute than other features, so they are
// computed for the best articles only.
func (q *queryTerms) gateFeatures(f *rank.Features, r articleTerms, words *encode.Encoder) {
	f[rank.Unknown], f[rank.Asked] = float32(q.unknown), float32(math.Log1p(float64(len(q.terms))))
	shares, terms := q.shares(r)
	withLegal := q.raiseByLegal(r, shares)
	var sum, covered, missed float64
	for i, w := range q.weights {
		if q.roles[i] == shaping {
			continue
		}
		share := withLegal[i]
		if share < 1 && words != nil {
			share = max(share, words.Nearest(q.terms[i], r.terms))
		}
		sum += w
		covered += w * share
		missed = max(missed, w*(1-share))
	}
	if sum == 0 {
		return
	}
	f[rank.NearCovered], f[rank.NearMissed] = float32(covered/sum), float32(missed/sum)
	f[rank.Close] = float32(q.densestWindow(r, shares, terms) / sum)
}

// windowTerms is the length in terms of the windows of densestWindow: about one long
// sentence.
const windowTerms = 30

// densestWindow returns the greatest total weight of question terms in any window of the
// article.
func (q *queryTerms) densestWindow(r articleTerms, shares []float64, terms []string) (most float64) {
	worth := make(map[string]float64)
	for i, t := range terms {
		if t != "" && q.roles[i] != shaping {
			worth[t] += q.weights[i] * shares[i]
		}
	}
	held, sum := make(map[string]int), 0.0
	for at, t := range r.order {
		if w := worth[t]; w > 0 {
			if held[t]++; held[t] == 1 {
				sum += w
			}
		}
		if at >= windowTerms {
			if old := r.order[at-windowTerms]; worth[old] > 0 {
				if held[old]--; held[old] == 0 {
					sum -= worth[old]
				}
			}
		}
		most = max(most, sum)
	}
	return most
}
