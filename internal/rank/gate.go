package rank

import (
	"math"

	"vigueur/internal/errs"
)

// Verdict is what becomes of a question.
type Verdict int

// The verdicts, by the probability that the best article answers.
const (
	Unlikely Verdict = iota // nothing that was found answers
	Unsure                  // some of the best may answer
	Sure                    // the best one answers
)

// String names a verdict in logs.
func (v Verdict) String() string { return [...]string{"unlikely", "unsure", "sure"}[v] }

// Gates are for searches that went by meaning too, and for those by words alone.
type Gates struct {
	Meant Gate `json:"meant"`
	Words Gate `json:"words"`
}

// Of is the gate for a search that went by meaning, or did not.
func (g *Gates) Of(meant bool) *Gate {
	if meant {
		return &g.Meant
	}
	return &g.Words
}

// Gate tells how likely the best article answers, and how likely one of the best
// three does.
type Gate struct {
	First Chance `json:"first"`
	Any   Chance `json:"any"`
	// Below which MostCovered nothing answers, whatever else the evidence is.
	Floor float64 `json:"floor"`
	// From which chance of the first on an answer is given as sure, and from which
	// chance of any on articles are given as candidates; from which chance of its own
	// on a text is worth naming where nothing answers.
	Sure    float64 `json:"sure"`
	Unsure  float64 `json:"unsure"`
	Reading float64 `json:"reading"`
}

// Chance makes a probability of evidence: by a logistic regression, of whose sum x
// Platt's 1/(1 + exp(-(Slope·x + Shift))) is right as often as it says, on questions
// that the regression had not learned from.
type Chance struct {
	Bias    float64         `json:"bias"`
	Weights EvidenceWeights `json:"weights"`
	Slope   float64         `json:"slope"`
	Shift   float64         `json:"shift"`
}

// Evidence is what a search tells of whether its best article answers.
type Evidence [Evidences]float64

// What it is.
const (
	TopScore    = iota // of Order, of the best
	Margin             // over the second, 4 at most
	Crowd              // share of the best in the sum of e^score of the ten best
	TopCovered         // Covered of the best
	TopPlain           // CoveredPlain of the best
	TopBody            // CoveredBody of the best
	TopMissed          // MissedMost of the best
	TopRarest          // Rarest of the best
	TopTogether        // Together of the best
	TopCosine          // Cosine of the best
	TopFigure          // Unfigured or Unpunished, of the best
	TopNames           // MissedNames of the best
	TopNotLocal        // NotLocal, Foreign or Nobodys of the best
	TopEdge            // NoArticle of the best
	MostCovered        // the greatest Covered, with what the words of the law add, of the five best
	LogCovered         // ln of that and a little: what is hardly covered at all is not answered
	Evidences
)

// EvidenceWeights weigh each.
type EvidenceWeights [Evidences]float64

// mostMargin bounds Margin: a lead that is great enough tells no more.
const mostMargin = 4

// crowd is how many of the best articles Crowd looks at.
const crowd = 10

// MostCovered looks at so many of the best articles; a little is as much as one rare
// word of a long question.
const (
	coverers = 5
	little   = 0.05
)

// EvidenceOf reads the evidence from the best articles, the best first, with their
// scores of Order. Without any article all is 0.
func EvidenceOf(features []*Features, scores []float64) (e Evidence) {
	if len(features) == 0 {
		return e
	}
	top := features[0]
	e[TopScore], e[Margin] = scores[0], mostMargin
	sum := 0.0
	for i, s := range scores[:min(len(scores), crowd)] {
		if i == 1 {
			e[Margin] = min(mostMargin, max(0, scores[0]-s))
		}
		sum += math.Exp(s - scores[0])
	}
	e[Crowd] = 1 / sum
	for at, of := range map[int]int{TopCovered: Covered, TopPlain: CoveredPlain, TopBody: CoveredBody, TopMissed: MissedMost,
		TopRarest: Rarest, TopTogether: Together, TopCosine: Cosine, TopNames: MissedNames, TopEdge: NoArticle} {
		e[at] = float64(top[of])
	}
	for _, f := range features[:min(len(features), coverers)] {
		e[MostCovered] = max(e[MostCovered], float64(f[Covered]+f[CoveredLegal]))
	}
	e[LogCovered] = math.Log(e[MostCovered] + little)
	e[TopFigure] = float64(max(top[Unfigured], top[Unpunished]))
	e[TopNotLocal] = float64(max(top[NotLocal], top[Foreign], top[Nobodys]))
	return e
}

// Sum is the regression's.
func (c *Chance) Sum(e *Evidence) (sum float64) {
	sum = c.Bias
	for i, x := range e {
		sum += float64(c.Weights[i] * x)
	}
	return sum
}

// Of is the probability.
func (c *Chance) Of(e *Evidence) float64 { return sigmoid(c.Slope*c.Sum(e) + c.Shift) }

// Verdict is what becomes of a question.
func (g *Gate) Verdict(e *Evidence) Verdict {
	switch {
	case e[MostCovered] < g.Floor || g.Any.Of(e) < g.Unsure:
		return Unlikely
	case g.First.Of(e) >= g.Sure:
		return Sure
	}
	return Unsure
}

func (g *Gate) check() error {
	for _, x := range []float64{g.Floor, g.Sure, g.Unsure, g.Reading} {
		if !(0 <= x && x <= 1) {
			return errs.New(errs.Invalid, "rank: a threshold of the gate is no probability")
		}
	}
	if g.First.Slope < 0 || g.Any.Slope < 0 {
		return errs.New(errs.Invalid, "rank: more evidence makes the gate doubt")
	}
	return nil
}
