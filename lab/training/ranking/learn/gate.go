package learn

import (
	"math"

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

// Weigh sets the weights of outcomes: each on gazettes counts one, and those on codes
// and on codes without what answers, by the weights they have, each together as much as
// those on gazettes as they are. So there are about as many questions that something
// answers as such that nothing does: which of them people ask more often is not known.
func Weigh(outcomes []*Outcome) {
	var sums [Cut + 1]float64
	for _, o := range outcomes {
		if o.Kind < Codes {
			o.Weight = 1
		}
		sums[o.Kind] += o.Weight
	}
	for _, o := range outcomes {
		if o.Kind >= Codes {
			o.Weight *= sums[Asked] / sums[o.Kind]
		}
	}
}

// Answers reports whether the first article answers.
func Answers(o *Outcome) bool { return o.Answers }

// Has reports whether anything in the catalogue answers.
func Has(o *Outcome) bool { return o.Has }

// Gate learns the chances, without calibration: whether anything answers from all outcomes,
// and for catalogs of few long texts, if there are any, from each as much as its catalogue is
// one.
func Gate(outcomes []*Outcome, ridge float64) rank.Gate {
	g := rank.Gate{First: Logistic(outcomes, Answers, ridge), Answerable: rank.Answerable{Has: Logistic(outcomes, Has, ridge)}}
	if long := ofLongTexts(outcomes); len(long) > 0 {
		g.Long = &rank.Answerable{Has: Logistic(long, Has, ridge)}
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
