// Package judge measures how good searches, answers and checks are against what
// people have judged right: rankings against judgements, answers against the
// facts they must hold, checks against sentences that were made false.
//
// It holds values and rules only: whoever calls it runs the search or writes the
// answer. All is deterministic, resampling included, so that two runs over the
// same data give the same figures to the digit.
package judge

import "math"

// How deep each figure looks.
const (
	shallow = 10
	deep    = 100
	glance  = 5
)

// Ranking is how good one ranked list is, each figure from 0 to 1.
type Ranking struct {
	R10    float64 `json:"r10"`    // share of the right ones among the first 10
	R100   float64 `json:"r100"`   // among the first 100
	MRR    float64 `json:"mrr"`    // 1 over the place of the first right one
	NDCG10 float64 `json:"ndcg10"` // gains of the first 10 over the best possible
	Hit5   float64 `json:"hit5"`   // 1 when one of the first 5 is right
}

// Names are the figures of a Ranking, as people call them, in order.
func Names() []string { return []string{"R@10", "R@100", "MRR", "nDCG@10", "Hit@5"} }

// values are the figures in the order of Names.
func (r Ranking) values() [5]float64 { return [5]float64{r.R10, r.R100, r.MRR, r.NDCG10, r.Hit5} }

// Rank judges a list of names, the best first, each once, against those that are
// right. Without any right one every figure is 0.
func Rank(ranked []string, right map[string]bool) (r Ranking) {
	if len(right) == 0 {
		return r
	}
	gain := 0.0
	for i, name := range ranked[:min(len(ranked), deep)] {
		if !right[name] {
			continue
		}
		r.R100++
		if r.MRR == 0 {
			r.MRR = 1 / float64(i+1)
		}
		if i < glance {
			r.Hit5 = 1
		}
		if i < shallow {
			r.R10++
			gain += discount(i)
		}
	}
	ideal := 0.0
	for i := range min(len(right), shallow) {
		ideal += discount(i)
	}
	n := float64(len(right))
	r.R10, r.R100, r.NDCG10 = r.R10/n, r.R100/n, gain/ideal
	return r
}

func discount(place int) float64 { return 1 / math.Log2(float64(place)+2) }
