package main

import (
	"math"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/lab/training/ranking/learn"
)

// list is sentences of which some answer.
type list struct {
	id     string
	part   int
	weight float64
	items  []item
}

type item struct {
	features []float64
	right    bool
}

// best learns weights by which what answers comes first: it minimizes the weighted mean
// over lists of -ln(Σ e^score of those that answer / Σ e^score of all) (ListNet's loss on
// the first place, with several right) and the ridge.
func best(lists []list, ridge float64) extractive.Weights {
	var used []list
	for _, l := range lists {
		if l.tells() {
			used = append(used, l)
		}
	}
	return fit(used, extractive.FeatureNames(), ridge, func(l *list, scores []float64) (loss float64) {
		all, right := 0.0, 0.0
		most := math.Inf(-1)
		for _, s := range scores {
			most = math.Max(most, s)
		}
		for i, s := range scores {
			scores[i] = math.Exp(s - most)
			all += scores[i]
			if l.items[i].right {
				right += scores[i]
			}
		}
		right = math.Max(right, math.SmallestNonzeroFloat32)
		for i, e := range scores {
			scores[i] = e / all
			if l.items[i].right {
				scores[i] -= e / right
			}
		}
		return math.Log(all) - math.Log(right)
	})
}

func (l *list) right() (n int) {
	for i := range l.items {
		if l.items[i].right {
			n++
		}
	}
	return n
}

// tells reports whether something answers and something does not.
func (l *list) tells() bool {
	n := l.right()
	return n > 0 && n < len(l.items)
}

// firsts is the weighted share of lists whose best item is right.
func firsts(lists []list, model func(part int) *extractive.Learned) float64 {
	names := extractive.FeatureNames()
	right, all := 0.0, 0.0
	for i := range lists {
		l := &lists[i]
		m, first, most := model(l.part), -1, 0.0
		for n, it := range l.items {
			s := 0.0
			for k, f := range it.features {
				s += m.Best[names[k]] * f
			}
			if first < 0 || s > most {
				first, most = n, s
			}
		}
		all += l.weight
		if l.items[first].right {
			right += l.weight
		}
	}
	return right / max(1e-9, all)
}

// fit minimizes the weighted mean of the loss of lists and the ridge, by features divided
// by their spread so that it weighs all alike. The loss of a list puts its slope by each
// score into its place.
func fit(lists []list, names []string, ridge float64, loss func(l *list, scores []float64) float64) extractive.Weights {
	spread := spreads(lists, len(names))
	total := 0.0
	for i := range lists {
		total += lists[i].weight
	}
	w := make([]float64, len(names))
	x := learn.Minimize(make([]float64, len(names)), func(x, gradient []float64) (sum float64) {
		for k := range x {
			w[k], gradient[k] = x[k]/spread[k], 2*ridge*x[k]
			sum += ridge * x[k] * x[k]
		}
		var scores []float64
		for i := range lists {
			l := &lists[i]
			scores = scores[:0]
			for _, it := range l.items {
				s := 0.0
				for k, f := range it.features {
					s += w[k] * f
				}
				scores = append(scores, s)
			}
			share := l.weight / total
			sum += share * loss(l, scores)
			for n, slope := range scores {
				for k, f := range l.items[n].features {
					gradient[k] += share * slope * f / spread[k]
				}
			}
		}
		return sum
	})
	out := make(extractive.Weights)
	for k, name := range names {
		if x[k] != 0 {
			out[name] = x[k] / spread[k]
		}
	}
	return out
}

// spreads are the roots of the mean squares of features over all items, less the mean of
// their list; of one that never varies in a list, as the bias, without that.
func spreads(lists []list, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		within, plain, items := 0.0, 0.0, 0.0
		for i := range lists {
			mean := 0.0
			for _, it := range lists[i].items {
				mean += it.features[k] / float64(len(lists[i].items))
			}
			for _, it := range lists[i].items {
				within += (it.features[k] - mean) * (it.features[k] - mean)
				plain += it.features[k] * it.features[k]
			}
			items += float64(len(lists[i].items))
		}
		if within < 1e-9*items {
			within = plain
		}
		if out[k] = math.Sqrt(within / math.Max(1, items)); out[k] < 1e-6 {
			out[k] = math.Inf(1) // says nothing
		}
	}
	return out
}
