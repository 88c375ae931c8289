package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/lab/training/ranking/learn"
)

// ridge is the penalty on large weights.
const ridge = 1e-4

// fit learns to choose among the rows of a place, and none of them, by their likelihood.
func fit(cases []hidden) heads.Obscured {
	names := heads.ObscuredNames()
	x := learn.Minimize(make([]float64, len(names)+1), func(x, gradient []float64) float64 {
		clear(gradient)
		model, sum := ofWeights(x), 0.0
		for _, c := range cases {
			chances, right := model.Chances(c.rows), 1.0
			for i, row := range c.rows {
				off := chances[i] / float64(len(cases))
				if right -= chances[i]; i == c.right {
					off -= 1 / float64(len(cases))
				}
				gradient[0] += off
				for k, v := range row {
					gradient[k+1] += off * v
				}
			}
			if c.right >= 0 {
				right = chances[c.right]
			}
			sum -= math.Log(math.Max(right, 1e-12)) / float64(len(cases))
		}
		for k := 1; k < len(x); k++ {
			sum += ridge * x[k] * x[k]
			gradient[k] += 2 * ridge * x[k]
		}
		return sum
	})
	for k := range x {
		x[k] = hundredths(x[k])
	}
	return ofWeights(x)
}

// ofWeights is the model of a bias and weights in the order of their names.
func ofWeights(x []float64) heads.Obscured {
	out := heads.Obscured{Bias: x[0], Weights: map[string]float64{}}
	for k, name := range heads.ObscuredNames() {
		out.Weights[name] = x[k+1]
	}
	return out
}

func hundredths(x float64) float64 { return math.Round(100*x) / 100 }

// judged is the likeliest line of a place, and whether it is the head.
type judged struct {
	p           float64
	right, lost bool
}

// judge tells the likeliest line of each place.
func judge(o heads.Obscured, cases []hidden) []judged {
	var out []judged
	for _, c := range cases {
		best := judged{lost: c.right < 0}
		for i, p := range o.Chances(c.rows) {
			if p > best.p {
				best.p, best.right = p, i == c.right
			}
		}
		out = append(out, best)
	}
	return out
}

// threshold is the least probability from which on no more than the share of the goal of
// the lines taken are no heads; 1 where there is none.
func threshold(all []judged, goal float64) float64 {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b judged) int { return cmp.Compare(b.p, a.p) })
	at, wrong := 1.0, 0
	for i, j := range sorted {
		if !j.right {
			wrong++
		}
		if float64(wrong) <= goal*float64(i+1) {
			at = j.p
		}
	}
	return math.Round(1000*at) / 1000
}

// tell prints how many heads are found from a probability on, and how often another line
// is taken for one.
func tell(what string, all []judged, at float64) {
	there, found, other, lost, taken := 0, 0, 0, 0, 0
	for _, j := range all {
		take := j.p >= at
		switch {
		case j.lost:
			lost++
			if take {
				taken++
			}
		default:
			there++
			if take && j.right {
				found++
			}
			if take && !j.right {
				other++
			}
		}
	}
	fmt.Printf("%s, from %.3f on: %d of %d heads found, %d times another line; of %d lost ones another line for %d\n", what, at, found, there, other, lost, taken)
}
