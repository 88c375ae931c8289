package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"vigueur/internal/segment"
)

func hundredths(x float64) float64 { return math.Round(100*x) / 100 }

// Of the logistic regression.
const (
	realWeight = 6 // of a real text against a made one: there are a tenth as many
	decay      = 2 // penalty on large weights
	rounds     = 4000
	rate       = 0.5
)

// fit learns the weights of witnesses by penalized logistic regression. No sign of a
// fault speaks for a text: weights are not negative, but that of a scan, which is no
// sign.
func fit(j segment.Judgment, texts []text) segment.Judgment {
	kinds := segment.WitnessKinds()
	x := make([][]float64, len(texts))
	total := 0.0
	for i, t := range texts {
		x[i] = valuesOf(t, kinds)
		total += t.weight
	}
	w, bias := make([]float64, len(kinds)), -2.0
	square, squareBias := make([]float64, len(kinds)), 1e-8
	for range rounds {
		grad, gradBias := make([]float64, len(kinds)), 0.0
		for i, t := range texts {
			z := bias
			for k, v := range x[i] {
				z += w[k] * v
			}
			off := 1 / (1 + math.Exp(-z))
			if t.wrong {
				off--
			}
			off *= t.weight
			gradBias += off
			for k, v := range x[i] {
				grad[k] += off * v
			}
		}
		gradBias /= total
		squareBias += gradBias * gradBias
		bias -= rate * gradBias / math.Sqrt(squareBias)
		for k := range w {
			g := (grad[k] + decay*w[k]) / total
			square[k] += g*g + 1e-12
			w[k] -= rate * g / math.Sqrt(square[k])
			if kinds[k] != segment.Scanned {
				w[k] = max(w[k], 0)
			}
		}
	}
	j.Weights, j.Bias = map[segment.WitnessKind]float64{}, hundredths(bias)
	for k, kind := range kinds {
		j.Weights[kind] = hundredths(w[k])
	}
	return j
}

// unseen gives kinds that no real text ever had the weight with which they make a doubt
// alone: what was never seen was never seen to be right.
func unseen(j segment.Judgment, texts []text) {
	for _, kind := range segment.WitnessKinds() {
		if !slices.ContainsFunc(texts, func(t text) bool {
			return slices.ContainsFunc(t.witnesses, func(w segment.Witness) bool { return w.Kind == kind })
		}) {
			j.Weights[kind] = hundredths(math.Log(j.Threshold/(1-j.Threshold)) - j.Bias + 0.05)
		}
	}
}

func valuesOf(t text, kinds []segment.WitnessKind) []float64 {
	out := make([]float64, len(kinds))
	for _, w := range t.witnesses {
		out[slices.Index(kinds, w.Kind)] = w.Value
	}
	return out
}

// judged is a text and the probability of a fault that was told of it.
type judged struct {
	text
	p float64
}

// threshold is the probability from which on texts are doubted, so that of the data
// of the others at most the share of the goal is wrong. It lies in the middle between
// the last text that is not doubted and the first one that is.
func threshold(texts []judged, goal float64) float64 {
	sure := slices.DeleteFunc(slices.Clone(texts), func(t judged) bool { return t.doubted })
	slices.SortFunc(sure, func(a, b judged) int { return cmp.Compare(a.p, b.p) })
	at, data, faults := 0.0, 0, 0
	for i, t := range sure {
		data, faults = data+t.data, faults+t.faults
		next := 1.0
		if i+1 < len(sure) {
			next = sure[i+1].p
		}
		if next > t.p && float64(faults) <= goal*float64(data) {
			at = (t.p + next) / 2
		}
	}
	return at
}

// leaveOut learns without each source in turn and judges its texts.
func leaveOut(j segment.Judgment, made, real []text) []judged {
	bySource := map[string][]text{}
	for _, t := range real {
		bySource[t.source] = append(bySource[t.source], t)
	}
	var out []judged
	for _, source := range slices.Sorted(maps.Keys(bySource)) {
		from := slices.Clone(made)
		for _, t := range real {
			if t.source != source {
				from = append(from, t)
			}
		}
		without := fit(j, from)
		for _, t := range bySource[source] {
			out = append(out, judged{t, without.Wrong(t.witnesses)})
		}
	}
	return out
}

// tellCut prints what a threshold makes of texts.
func tellCut(what string, texts []judged, at float64) {
	data, faults, doubted, needless := 0, 0, 0, 0
	for _, t := range texts {
		if t.doubted || t.p >= at {
			doubted++
			if !t.wrong {
				needless++
			}
			continue
		}
		data, faults = data+t.data, faults+t.faults
	}
	fmt.Printf("%s: threshold %.3f: %d of %d texts doubted, %d of them right; %d of %d data wrong without a doubt\n", what, at, doubted, len(texts), needless, faults, data)
}

// tellKinds prints how often each kind of witness speaks of texts that are wrong and
// of such that are right.
func tellKinds(texts []text) {
	for _, kind := range segment.WitnessKinds() {
		wrong, right, sumWrong, sumRight := 0, 0, 0.0, 0.0
		for _, t := range texts {
			for _, w := range t.witnesses {
				switch {
				case w.Kind != kind:
				case t.wrong:
					wrong, sumWrong = wrong+1, sumWrong+w.Value
				default:
					right, sumRight = right+1, sumRight+w.Value
				}
			}
		}
		fmt.Printf("%-15s wrong %3d (%6.2f), right %3d (%6.2f)\n", kind, wrong, sumWrong, right, sumRight)
	}
}
