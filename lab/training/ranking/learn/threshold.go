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
	sureRight    = 0.93 // at least so many of the answers given as sure are right
	likelyRight  = 0.70 // at least so many of those given as likely are, and of no less likely ones, less a standard error
	wrongRefusal = 0.05 // at most so many of the questions that have an answer are refused
)

// Judged is an outcome with what a gate makes of it that did not learn from it.
type Judged struct {
	*Outcome
	First, Some         float64 // the sums
	LongFirst, LongSome float64 // those for catalogs of few long texts
}

// Judge has a gate look at an outcome that it did not learn from.
func Judge(g *rank.Gate, o *Outcome) Judged {
	j := Judged{Outcome: o, First: g.First.Sum(&o.Evidence), Some: g.Has.Sum(&o.Evidence)}
	if g.Long != nil {
		j.LongFirst, j.LongSome = g.Long.First.Sum(&o.Evidence), g.Long.Has.Sum(&o.Evidence)
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
// sets its thresholds: sure and likely are the least chances of the first from which on enough are
// right; unsure is the greatest chance below which few enough questions lie that
// have an answer, and so are the others. The thresholds are of gazettes; where there are
// codes, how likely the first answers is calibrated for these as well, and whether anything
// does has a calibration and a threshold of theirs.
func Calibrate(g *rank.Gate, judged []Judged, times int) {
	if g.Long != nil {
		codes := ofKind(judged, Codes)
		calibrate(&g.Long.First, codes, times, Answers, func(j Judged) float64 { return j.LongFirst })
		some := calibrate(&g.Long.Has, slices.Concat(codes, ofKind(judged, Cut)), times, Has, func(j Judged) float64 { return j.LongSome })
		g.Long.Unsure = below(some, wrongRefusal, func(j Judged) float64 { return chance(&g.Long.Has, j.LongSome) })
	}
	judged = ofKind(judged, Asked)
	first := calibrate(&g.First, judged, times, Answers, func(j Judged) float64 { return j.First })
	g.Sure = 1
	sure := mostRight(&g.First, first, sureRight, 0)
	if sure > 0 {
		g.Sure = chance(&g.First, first[sure-1].First)
	}
	g.Likely = g.Sure
	if likely := mostRight(&g.First, first[sure:], likelyRight, 1); likely > 0 {
		g.Likely = chance(&g.First, first[sure+likely-1].First)
	}
	some := calibrate(&g.Has, judged, times, Has, func(j Judged) float64 { return j.Some })
	g.Unsure = below(some, wrongRefusal, func(j Judged) float64 { return chance(&g.Has, j.Some) })
	g.Floor = below(judged, wrongRefusal/2, func(j Judged) float64 { return max(0, j.Evidence.Covering()) })
	g.Other = below(first, wrongRefusal, func(j Judged) float64 { return chance(&g.First, j.First) })
}

// mostRight is the greatest number of outcomes, from the first on, of which enough are right:
// by the mean of their calibrated chances, which all outcomes decide, and by the share of
// right ones less so many standard errors, which the outcomes at the threshold decide. The
// share alone lets too many pass: of all thresholds the last one is taken at which chance was
// kind. Sure answers go without a standard error: their share hardly exceeds sureRight
// anywhere, so that it would leave none.
//
// The questions of a split stand or fall together, so the error is that of a ratio over splits
// (Cochran, Sampling Techniques, 1977, eq. 2.39 without the correction for a finite population).
func mostRight(c *rank.Chance, judged []Judged, least, errors float64) (most int) {
	type counts struct{ n, right float64 }
	of := make(map[string]*counts)
	var splits []*counts // in the order of their first outcomes, so that sums have one order
	right, said := 0.0, 0.0
	for i, j := range judged {
		said += chance(c, j.First)
		c := of[j.Split]
		if c == nil {
			c = new(counts)
			of[j.Split], splits = c, append(splits, c)
		}
		c.n++
		if j.Answers {
			c.right++
			right++
		}
		n := float64(i + 1)
		share, squares := right/n, 0.0
		if share < least || said/n < least {
			continue
		}
		for _, c := range splits {
			d := c.right - share*c.n
			squares += d * d
		}
		if share-errors*math.Sqrt(squares)/n >= least {
			most = i + 1
		}
	}
	return most
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
	var sure, sureRight, likely, likelyRight, unsure, unsureRight, unsureAmong, refused, wrongly, without float64
	var said []judge.Said
	for _, j := range outcomes {
		g := of(j)
		said = append(said, judge.Said{P: g.FirstAnswers(&j.Evidence), True: j.Answers})
		switch v := decide.ByGate(g, &j.Evidence); {
		case v == decide.Sure:
			sure++
			if j.Answers {
				sureRight++
			}
		case v == decide.Likely:
			likely++
			if j.Answers {
				likelyRight++
			}
		case v == decide.Unsure:
			unsure++
			if j.Answers {
				unsureRight++
			}
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
	return fmt.Sprintf("%.0f sure, %.0f of them right; %.0f likely, %.0f of them right; %.0f unsure, %.0f of them right, %.0f among three; refused %.0f of %.0f that have no answer, and %.0f that have one; %s",
		sure, sureRight, likely, likelyRight, unsure, unsureRight, unsureAmong, refused, without, wrongly, judge.Calibrated(said))
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
			said = append(said, judge.Said{P: without[o.Part].FirstAnswers(&o.Evidence), True: o.Answers})
		}
	}
	return fmt.Sprintf("%s: %d questions, %s", name, len(said), judge.Calibrated(said))
}
