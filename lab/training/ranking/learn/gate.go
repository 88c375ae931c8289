package learn

import (
	"math"
	"slices"

	"vigueur/internal/search/rank"
)

// Outcome is a question with what a search made of it: whether its best article
// answers, and what the gate goes by.
type Outcome struct {
	ID       string
	Part     int
	Split    string // questions of one are learned from together or not at all: those on a file
	Weight   float64
	Evidence rank.Evidence
	Answers  bool // the first article answers
	Among    bool // one of the first three does
	Has      bool // the catalogue has an answer
	Kind     Kind
}

// Kind is which catalogue was asked.
type Kind int

// The kinds.
const (
	Asked   Kind = iota // gazettes, as they are
	Robbed              // gazettes without the files that answer
	Alone               // the files that answer, and no others
	Astray              // other files, and none that answers
	Codes               // codes, as they are
	Cut                 // codes without those that answer
	Thinned             // without the articles alone that answer
)

// madeShare is how much the questions that are asked of other catalogs than the gazettes as
// they are count together, beside those. Left out by file, 0.5 refuses the most of what
// nothing answers, on average over questions that people wrote so and those whose files were
// taken out.
const madeShare = 0.5

// Weigh sets the weights of outcomes: each on gazettes as they are counts one; those on other
// files count madeShare as much together; those on codes and on codes without what answers,
// by the weights they have, each together as much as those on gazettes as they are.
func Weigh(outcomes []*Outcome) {
	var sums [Cut + 1]float64
	for _, o := range outcomes {
		if o.Kind < Codes {
			o.Weight = 1
		}
		sums[o.Kind] += o.Weight
	}
	kinds := 0.0
	for _, n := range sums[Robbed:Codes] {
		if n > 0 {
			kinds++
		}
	}
	for _, o := range outcomes {
		switch {
		case o.Kind >= Codes:
			o.Weight *= sums[Asked] / sums[o.Kind]
		case o.Kind != Asked && sums[Asked] > 0:
			o.Weight = madeShare * sums[Asked] / kinds / sums[o.Kind]
		}
	}
}

// Answers reports whether the first article answers.
func Answers(o *Outcome) bool { return o.Answers }

// Has reports whether anything in the catalogue answers.
func Has(o *Outcome) bool { return o.Has }

// Gate learns the chances, without calibration. Whether the first answers is learned from
// catalogs that may answer: where nothing does, no first article is told from another.
// Whether anything answers is learned from all gazettes. For catalogs of few long texts, if
// there are codes, both are learned from each outcome as much as its catalogue is one.
func Gate(outcomes []*Outcome, ridge float64) rank.Gate {
	short := slices.DeleteFunc(slices.Clone(outcomes), onCodes)
	answerable := slices.DeleteFunc(slices.Clone(short), func(o *Outcome) bool { return o.Kind != Asked && o.Kind != Alone })
	g := rank.Gate{Answerable: rank.Answerable{First: Logistic(answerable, Answers, ridge), Has: Logistic(short, Has, ridge)}}
	if slices.ContainsFunc(outcomes, onCodes) {
		long := ofLongTexts(outcomes)
		g.Long = &rank.Answerable{First: Logistic(long, Answers, ridge), Has: Logistic(long, Has, ridge)}
	}
	return g
}

// ofLongTexts are the outcomes of catalogs of long texts, each with as much of its weight as
// its catalogue is one.
func ofLongTexts(outcomes []*Outcome) (long []*Outcome) {
	for _, o := range outcomes {
		if share := o.Evidence[rank.LongTexts]; share > 0 {
			weighed := *o
			weighed.Weight *= share
			long = append(long, &weighed)
		}
	}
	return long
}

func onCodes(o *Outcome) bool { return o.Kind == Codes || o.Kind == Cut }

// Logistic learns bias and weights of a logistic regression by evidence, with a
// ridge on the weights of the evidence as far as it varies. The shape of the catalogue has
// none: sets differ in more than that. Nor has the best score, which is without bounds: the
// loss by which scores are learned stays as it is when all of a list grow alike.
func Logistic(outcomes []*Outcome, of func(*Outcome) bool, ridge float64) (g rank.Chance) {
	mean, spread := moments(outcomes)
	total := 0.0
	for _, o := range outcomes {
		total += o.Weight
	}
	loss := func(x, gradient []float64) float64 {
		clear(gradient)
		sum := 0.0
		for _, o := range outcomes {
			z := x[0]
			for k, e := range o.Evidence {
				z += x[k+1] * (e - mean[k]) / spread[k]
			}
			y, w := 0.0, o.Weight/total
			if of(o) {
				y = 1
			}
			sum += w * (softplus(z) - y*z)
			d := w * (1/(1+math.Exp(-z)) - y)
			gradient[0] += d
			for k, e := range o.Evidence {
				gradient[k+1] += d * (e - mean[k]) / spread[k]
			}
		}
		for k := 1; k < len(x); k++ {
			sum += ridge * x[k] * x[k]
			gradient[k] += 2 * ridge * x[k]
		}
		return sum
	}
	x := Minimize(make([]float64, rank.Evidences+1), loss)
	g.Bias = x[0]
	for k := range g.Weights {
		g.Weights[k] = x[k+1] / spread[k]
		g.Bias -= g.Weights[k] * mean[k]
	}
	g.Slope = 1
	return g
}

func moments(outcomes []*Outcome) (mean, spread [rank.Evidences]float64) {
	n := float64(len(outcomes))
	for k := range mean {
		for _, o := range outcomes {
			mean[k] += o.Evidence[k] / n
		}
		for _, o := range outcomes {
			spread[k] += (o.Evidence[k] - mean[k]) * (o.Evidence[k] - mean[k]) / n
		}
		if spread[k] = math.Sqrt(spread[k]); spread[k] < 1e-6 || k == rank.LongTexts || k == rank.TopScore {
			spread[k] = math.Inf(1) // of what does not vary nothing is learned
		}
	}
	return mean, spread
}

func softplus(z float64) float64 {
	return math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
}

// Platt learns slope and shift that make of sums probabilities (Platt 1999, with
// his targets against too much certainty), of questions that are there so many times each.
func Platt(sums []float64, answers []bool, times int) (slope, shift float64) {
	right := 0.0
	for _, a := range answers {
		if a {
			right += 1 / float64(times)
		}
	}
	high, low := (right+1)/(right+2), 1/(float64(len(answers))/float64(times)-right+2)
	n := float64(len(sums))
	x := Minimize([]float64{1, 0}, func(x, gradient []float64) float64 {
		clear(gradient)
		loss := 0.0
		for i, s := range sums {
			y := low
			if answers[i] {
				y = high
			}
			z := x[0]*s + x[1]
			loss += (softplus(z) - y*z) / n
			d := (1/(1+math.Exp(-z)) - y) / n
			gradient[0] += d * s
			gradient[1] += d
		}
		return loss
	})
	return math.Max(0, x[0]), x[1]
}
