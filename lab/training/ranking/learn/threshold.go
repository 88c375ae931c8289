package learn

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"sync"

	"vigueur/internal/search/decide"
	"vigueur/internal/search/rank"
	"vigueur/lab/judge"
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
	First, Some, Long float64 // the sums; Long is that of Some for catalogs of few long texts
}

// Judge has a gate look at an outcome that it did not learn from.
func Judge(g *rank.Gate, o *Outcome) Judged {
	j := Judged{Outcome: o, First: g.First.Sum(&o.Evidence), Some: g.Has.Sum(&o.Evidence)}
	if g.Long != nil {
		j.Long = g.Long.Has.Sum(&o.Evidence)
	}
	return j
}

// Cross has the outcomes on gazettes as they are, and those on codes, judged by gates that learned from all
// outcomes but those of a share of the splits; the splits are shared out several times over,
// so that less hangs on how. Each outcome is judged once each time.
func Cross(outcomes []*Outcome, ridge float64) []Judged {
	type task struct{ time, fold int }
	var tasks []task
	for time := range Times {
		for fold := range folds {
			tasks = append(tasks, task{time, fold})
		}
	}
	judged := make([][]Judged, len(tasks))
	var all sync.WaitGroup
	hands := runtime.GOMAXPROCS(0)
	for hand := range hands {
		all.Go(func() {
			for i := hand; i < len(tasks); i += hands {
				judged[i] = fold(outcomes, tasks[i].time, tasks[i].fold, ridge)
			}
		})
	}
	all.Wait()
	return slices.Concat(judged...)
}

// folds is how many shares the splits are parted into.
const folds = 6

// Times is how often they are, each time otherwise.
const Times = 5

// fold has one share of the outcomes judged.
func fold(outcomes []*Outcome, time, share int, ridge float64) (judged []Judged) {
	var out, in []*Outcome
	for _, o := range outcomes {
		h := fnv.New32a()
		_, _ = fmt.Fprint(h, time, " ", o.Split) // never fails
		if int(h.Sum32()>>8)%folds == share {
			out = append(out, o)
		} else {
			in = append(in, o)
		}
	}
	g := Gate(in, ridge)
	for _, o := range out {
		if o.Kind == Asked || onCodes(o) {
			judged = append(judged, Judge(&g, o))
		}
	}
	return judged
}

// Calibrate makes probabilities of the sums of a gate by what was judged so many times, and
// sets its thresholds: sure is the least chance of the first from which on enough are
// right; unsure is the greatest chance below which few enough questions lie that
// have an answer, and so are the others. The thresholds are of gazettes; where there are
// codes, how likely the first answers is calibrated for these as well, and whether anything
// does has a calibration and a threshold of theirs.
func Calibrate(g *rank.Gate, judged []Judged, times int) {
	codes := ofKind(judged, Codes)
	if len(codes) > 0 {
		var c rank.Chance
		calibrate(&c, codes, times, Answers, func(j Judged) float64 { return j.First })
		g.First.Long = &c.Platt
	}
	if g.Long != nil {
		some := calibrate(&g.Long.Has, slices.Concat(codes, ofKind(judged, Cut)), times, Has, func(j Judged) float64 { return j.Long })
		g.Long.Unsure = below(some, wrongRefusal, func(j Judged) float64 { return chance(&g.Long.Has, j.Long) })
	}
	judged = ofKind(judged, Asked)
	first := calibrate(&g.First, judged, times, Answers, func(j Judged) float64 { return j.First })
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
	some := calibrate(&g.Has, judged, times, Has, func(j Judged) float64 { return j.Some })
	g.Unsure = below(some, wrongRefusal, func(j Judged) float64 { return chance(&g.Has, j.Some) })
	g.Floor = below(judged, wrongRefusal/2, func(j Judged) float64 { return max(0, j.Evidence.Covering()) })
	g.Other = below(first, wrongRefusal, func(j Judged) float64 { return chance(&g.First, j.First) })
	g.Reading = g.Other * mostReadings
}

func ofKind(judged []Judged, kind Kind) (out []Judged) {
	for _, j := range judged {
		if j.Kind == kind {
			out = append(out, j)
		}
	}
	return out
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
func calibrate(c *rank.Chance, judged []Judged, times int, of func(*Outcome) bool, sum func(Judged) float64) []Judged {
	judged = slices.Clone(judged)
	slices.SortFunc(judged, func(a, b Judged) int {
		return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(a.ID, b.ID))
	})
	var sums []float64
	var answers []bool
	for _, j := range judged {
		sums, answers = append(sums, sum(j)), append(answers, of(j.Outcome))
	}
	c.Slope, c.Shift = Platt(sums, answers, times)
	return judged
}

func chance(c *rank.Chance, sum float64) float64 { return 1 / (1 + math.Exp(-(c.Slope*sum + c.Shift))) }

// Verdicts says what gates make of outcomes, each by the one for it.
func Verdicts(outcomes []*Outcome, of func(*Outcome) *rank.Gate) string {
	var sure, sureRight, unsure, unsureAmong, refused, wrongly, without float64
	var said []judge.Said
	for _, j := range outcomes {
		g := of(j)
		said = append(said, judge.Said{P: g.First.Probability(&j.Evidence), True: j.Answers})
		switch v := decide.ByGate(g, &j.Evidence); {
		case v == decide.Sure:
			sure++
			if j.Answers {
				sureRight++
			}
		case v == decide.Unsure || v == decide.Likely:
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
	return fmt.Sprintf("%.0f sure, %.0f of them right; %.0f unsure, %.0f of them right among three; refused %.0f of %.0f that have no answer, and %.0f that have one; %s",
		sure, sureRight, unsure, unsureAmong, refused, without, wrongly, judge.Calibrated(said))
}

// Refusals says how many of the outcomes of a kind each of the gates that were learned
// without their part refuses, and gives as sure.
func Refusals(name string, outcomes []*Outcome, kind Kind, without []rank.Gate) string {
	of, verdicts := 0, [4]int{}
	for _, o := range outcomes {
		if o.Kind == kind {
			of++
			verdicts[decide.ByGate(&without[o.Part], &o.Evidence)]++
		}
	}
	return fmt.Sprintf("%s: of %d refused %d, sure %d", name, of, verdicts[decide.Refused], verdicts[decide.Sure])
}

// Reliability says how far the probability that the first article answers holds for outcomes
// of a kind, each by the gate that was learned without its part.
func Reliability(name string, outcomes []*Outcome, kinds []Kind, without []rank.Gate) string {
	var said []judge.Said
	for _, o := range outcomes {
		if slices.Contains(kinds, o.Kind) {
			said = append(said, judge.Said{P: without[o.Part].First.Probability(&o.Evidence), True: o.Answers})
		}
	}
	return fmt.Sprintf("%s: %d questions, %s", name, len(said), judge.Calibrated(said))
}
