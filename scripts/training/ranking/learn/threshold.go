package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vigueur/internal/rank"
)

// What the thresholds are set for.
const (
	sureRight    = 0.95 // at least so many of the answers given as sure are right
	wrongRefusal = 0.05 // at most so many of the questions that have an answer are refused
	mostReadings = 0.5  // a text is worth naming from half the chance on that tells of another's law
)

// Judged is an outcome with what a gate makes of it that did not learn from it.
type Judged struct {
	*Outcome
	First, Some float64 // the sums
}

// Judge has a gate look at an outcome that it did not learn from.
func Judge(g *rank.Gate, o *Outcome) Judged {
	return Judged{o, g.First.Sum(&o.Evidence), g.Has.Sum(&o.Evidence)}
}

// Calibrate makes probabilities of the sums of a gate by what was judged, and sets
// its thresholds: sure is the least chance of the first from which on enough are
// right; unsure is the greatest chance below which few enough questions lie that
// have an answer, and so are the others.
func Calibrate(g *rank.Gate, judged []Judged) {
	first := calibrate(&g.First, judged, Answers, func(j Judged) float64 { return j.First })
	right := 0.0
	g.Sure = 1
	for i, j := range first {
		if j.Answers {
			right++
		}
		if right/float64(i+1) >= sureRight {
			g.Sure = chance(&g.First, j.First)
		}
	}
	some := calibrate(&g.Has, judged, Has, func(j Judged) float64 { return j.Some })
	g.Unsure = below(some, wrongRefusal, func(j Judged) float64 { return chance(&g.Has, j.Some) })
	g.Floor = below(judged, wrongRefusal/2, func(j Judged) float64 { return max(0, j.Evidence.Covering()) })
	g.Other = below(first, wrongRefusal, func(j Judged) float64 { return chance(&g.First, j.First) })
	g.Reading = g.Other * mostReadings
}

// below is the value that a share of the questions which have an answer lie below.
func below(judged []Judged, share float64, of func(Judged) float64) float64 {
	var values []float64
	for _, j := range judged {
		if j.Has {
			values = append(values, of(j))
		}
	}
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return min(1, values[int(share*float64(len(values)))])
}

// calibrate does it for one chance, and gives what was judged in the order of its
// sums, the greatest first.
func calibrate(c *rank.Chance, judged []Judged, of func(*Outcome) bool, sum func(Judged) float64) []Judged {
	judged = slices.Clone(judged)
	slices.SortFunc(judged, func(a, b Judged) int {
		return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(a.ID, b.ID))
	})
	var sums []float64
	var answers []bool
	for _, j := range judged {
		sums, answers = append(sums, sum(j)), append(answers, of(j.Outcome))
	}
	c.Slope, c.Shift = Platt(sums, answers)
	return judged
}

func chance(c *rank.Chance, sum float64) float64 { return 1 / (1 + math.Exp(-(c.Slope*sum + c.Shift))) }

// Verdicts says what gates make of what was judged, each by the one for it.
func Verdicts(judged []Judged, of func(Judged) *rank.Gate) string {
	var sure, sureRight, unsure, unsureAmong, refused, wrongly, without, wrong float64
	bins := make([][2]float64, 5)
	for _, j := range judged {
		g := of(j)
		p := g.First.Of(&j.Evidence)
		b := &bins[min(len(bins)-1, int(p*float64(len(bins))))]
		b[0] += p
		if j.Answers {
			b[1]++
		}
		switch v := g.Verdict(&j.Evidence); {
		case v == rank.Sure:
			sure++
			if j.Answers {
				sureRight++
			}
		case v == rank.Unsure:
			unsure++
			if j.Among {
				unsureAmong++
			}
		case j.Has:
			wrongly++
		default:
			refused++
		}
		if !j.Has {
			without++
		}
	}
	for _, b := range bins {
		wrong += math.Abs(b[0]-b[1]) / float64(len(judged))
	}
	return fmt.Sprintf("%.0f sure, %.0f of them right; %.0f unsure, %.0f of them right among three; refused %.0f of %.0f that have no answer, and %.0f that have one; calibration error %.3f",
		sure, sureRight, unsure, unsureAmong, refused, without, wrongly, wrong)
}

// Refusals says how many of the outcomes of a kind, which nothing answers, each of the
// gates that were learned without their part refuses, and gives as sure.
func Refusals(name string, outcomes []*Outcome, kind Kind, without []rank.Gate) string {
	of, verdicts := 0, [3]int{}
	for _, o := range outcomes {
		if o.Kind == kind && !o.Has {
			of++
			verdicts[without[o.Part].Verdict(&o.Evidence)]++
		}
	}
	return fmt.Sprintf("%s: of %d refused %d, sure %d", name, of, verdicts[rank.Unlikely], verdicts[rank.Sure])
}
