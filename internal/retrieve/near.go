package retrieve

import (
	"math"
	"sync"

	"vigueur/internal/encode"
	"vigueur/internal/rank"
)

// carriedWords are the vectors of words that the program carries.
var carriedWords = sync.OnceValues(encode.New)

// words are the vectors by which words are near one another; nil: there are none.
func (s *Searcher) words() *encode.Encoder {
	if s.Words != nil {
		return s.Words
	}
	carried, err := carriedWords()
	if err != nil {
		return nil // rank.Builtin stops a program whose weights cannot be read
	}
	return carried
}

// near fills in what the gate looks at in an article that reads so: what stands in it
// under a word that is near in meaning, and close together. It costs more than the
// rest, and is done for the best articles only.
func (a *asked) near(f *rank.Features, r reading, words *encode.Encoder) {
	f[rank.Unknown], f[rank.Asked] = float32(a.unknown), float32(math.Log1p(float64(len(a.terms))))
	shares, terms := a.shares(r)
	withLegal := a.legal(r, shares)
	var sum, covered, missed float64
	for i, w := range a.weights {
		if a.roles[i] == shaping {
			continue
		}
		share := withLegal[i]
		if share < 1 && words != nil {
			share = max(share, words.Nearest(a.terms[i], r.terms))
		}
		sum += w
		covered += w * share
		missed = max(missed, w*(1-share))
	}
	if sum == 0 {
		return
	}
	f[rank.NearCovered], f[rank.NearMissed] = float32(covered/sum), float32(missed/sum)
	f[rank.Close] = float32(a.close(r, shares, terms) / sum)
}

// stretch is how many terms of an article stand close together: about as many as a
// long sentence has.
const stretch = 30

// close is the greatest weight of the question that a stretch of the article has.
func (a *asked) close(r reading, shares []float64, terms []string) (most float64) {
	worth := make(map[string]float64)
	for i, t := range terms {
		if t != "" && a.roles[i] != shaping {
			worth[t] += a.weights[i] * shares[i]
		}
	}
	held, sum := make(map[string]int), 0.0
	for at, t := range r.order {
		if w := worth[t]; w > 0 {
			if held[t]++; held[t] == 1 {
				sum += w
			}
		}
		if at >= stretch {
			if old := r.order[at-stretch]; worth[old] > 0 {
				if held[old]--; held[old] == 0 {
					sum -= worth[old]
				}
			}
		}
		most = max(most, sum)
	}
	return most
}
