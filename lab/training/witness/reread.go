package main

import (
	"fmt"
	"math"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/lab/gazettes"
	"vigueur/lab/house"
)

// rereadSeed is that of made issues whose readings are tried.
const rereadSeed = 4_000_000

// rereadShare is how many times more made issues teach that than the rest: few of their
// readings are wrong.
const rereadShare = 2

// trial is a change of a reading and what came of it.
type trial struct {
	source   string
	features []float64 // in the order of segment.RereadingNames
	better   bool
	gain     int // faults that it mends, less those that it makes
	weight   float64
}

// faults counts what of a file is not as noted.
func faults(f gazettes.File, issue gazette.Issue) int {
	n := 0
	for _, v := range gazettes.Judge(f, issue) {
		n += len(v.Faults)
	}
	return n
}

// trialsOf tries the readings of a file.
func trialsOf(c segment.Cutter, f gazettes.File, pages []layout.Page, hints gazette.Hints, weight float64) []trial {
	plain, trials := c.Trials(pages, hints)
	before := faults(f, plain)
	var out []trial
	for _, t := range trials {
		gain := before - faults(f, t.Issue)
		features := make([]float64, 0, len(t.Features))
		for _, name := range segment.RereadingNames() {
			features = append(features, t.Features[name])
		}
		out = append(out, trial{source: f.Source(), features: features, better: gain > 0, gain: gain, weight: weight})
	}
	return out
}

// tryMade tries the readings of made issues.
func tryMade(m *chain.Model, j judgment.Judgment, issues []house.Issue) []trial {
	var out []trial
	for _, made := range issues {
		out = append(out, trialsOf(unjudged(m, j), gazettes.MadeTruth(made), made.Pages, gazette.Hints{}, 1)...)
	}
	return out
}

// bounded keeps a weight on its side: the chain's odds and what the summary announces
// speak for a reading, and no sign of a fault does. What kind a change is may speak for
// it or against it, and so may what is no fault: a scan, an act of one sentence.
func bounded(name string, w float64) float64 {
	switch name {
	case "begin", "join", "aside", "in", "article", string(gazette.Scanned), string(gazette.MeasureOnly):
		return w
	case "odds", "found":
		return max(w, 0)
	}
	return min(w, 0)
}

// fitRereading learns by penalized logistic regression which changes make a reading
// better.
func fitRereading(trials []trial) map[string]float64 {
	names := segment.RereadingNames()
	w, square := make([]float64, len(names)), make([]float64, len(names))
	total := 0.0
	for _, t := range trials {
		total += t.weight
	}
	for range rounds / 4 {
		grad := make([]float64, len(names))
		for _, t := range trials {
			off := t.chance(w)
			if t.better {
				off--
			}
			for k, v := range t.features {
				grad[k] += t.weight * off * v
			}
		}
		for k, name := range names {
			g := (grad[k] + decay*w[k]) / total
			square[k] += g*g + 1e-12
			w[k] = bounded(name, w[k]-rate*g/math.Sqrt(square[k]))
		}
	}
	out := map[string]float64{}
	for k, name := range names {
		out[name] = hundredths(w[k])
	}
	return out
}

func (t trial) chance(w []float64) float64 {
	z := 0.0
	for k, v := range t.features {
		z += w[k] * v
	}
	return 1 / (1 + math.Exp(-z))
}

// without leaves out a source.
func without(trials []trial, source string) []trial {
	var out []trial
	for _, t := range trials {
		if t.source != source {
			out = append(out, t)
		}
	}
	return out
}

// tellTrials prints what taking the changes that weights choose makes of files.
func tellTrials(what string, trials []trial, weights func(t trial) map[string]float64) {
	all, better, taken, mended, made := 0, 0, 0, 0, 0
	for _, t := range trials {
		all++
		if t.better {
			better++
		}
		j := judgment.Judgment{Rereading: weights(t)}
		features := map[string]float64{}
		for k, name := range segment.RereadingNames() {
			features[name] = t.features[k]
		}
		if segment.Better(j, features) > 0.5 {
			taken++
			mended, made = mended+max(t.gain, 0), made+max(-t.gain, 0)
		}
	}
	fmt.Printf("%s: %d changes tried, %d of them better; %d taken alone would mend %d faults and make %d\n", what, all, better, taken, mended, made)
}
