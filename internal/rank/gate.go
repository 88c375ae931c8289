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
	Semantic Gate `json:"meant"`
	Words    Gate `json:"words"`
}

// Of is the gate for a search that went by meaning, or did not.
func (g *Gates) Of(meant bool) *Gate {
	if meant {
		return &g.Semantic
	}
	return &g.Words
}

// Gate tells how likely the best article answers, and how likely anything in the
// catalogue does.
type Gate struct {
	First Chance `json:"first"`
	Has   Chance `json:"has"`
	// From which chance of the first on an answer is given as sure, and from which
	// chance that the catalogue has one on articles are given as candidates.
	Sure   float64 `json:"sure"`
	Unsure float64 `json:"unsure"`
	// From which chance of its own on the law of another country is told of beside the
	// first, and from which a text is worth naming where nothing answers; and how much
	// of the question such a text covers at least.
	Other   float64 `json:"other"`
	Reading float64 `json:"reading"`
	Floor   float64 `json:"floor"`
}

// Chance makes a probability of evidence: by a logistic regression, of whose sum x
// Platt's 1/(1 + exp(-(slope·x + shift))) is right as often as it says, on questions
// that the regression had not learned from.
type Chance struct {
	Bias    float64         `json:"bias"`
	Weights EvidenceWeights `json:"weights"`
	Platt                   // of catalogs of many short texts
	Long    *Platt          `json:"long,omitempty"` // of few long ones; nil: as of short ones
}

// Platt are the numbers of a calibration.
type Platt struct {
	Slope float64 `json:"slope"`
	Shift float64 `json:"shift"`
}

// calibration is that of a catalogue of a shape: between those of short texts and of long
// ones, as the order of its articles is.
func (c *Chance) calibration(shape float64) Platt {
	if c.Long == nil {
		return c.Platt
	}
	return Platt{(1-shape)*c.Slope + shape*c.Long.Slope, (1-shape)*c.Shift + shape*c.Long.Shift}
}

// Evidence is what a search tells of whether its best article answers.
type Evidence [Evidences]float64

// What it is: of the best article, where nothing else is said.
const (
	TopScore    = iota // of Weigh; to be shown, nothing is learned from it
	Margin             // over the second, 4 at most
	Crowd              // its share in the sum of e^score of the ten best
	TopWords           // WordsOfMost
	TopHeld            // Held
	TopCovered         // Covered
	TopLegal           // CoveredLegal
	TopCosine          // Cosine
	TopNear            // NearCovered
	TopFar             // NearMissed
	TopClose           // Close
	TopPath            // PathLikeness
	TopBeside          // NeighborWords
	TopAround          // NeighborGap
	TopFigure          // Unfigured or Unpunished
	TopNames           // MissedNames
	TopNotLocal        // NotLocal, Foreign or UnknownCountry
	LogCovered         // ln of the greatest Covered, with what the words of the law add, of the five best, and a little: what is hardly covered at all is not answered
	Strange            // Unknown, the same for all
	Wordy              // Asked, the same for all
	OneText            // share of the ten best that are of the same text as the best, itself left out: what nothing answers is near to a little of many texts
	LongTexts          // Shape.Of the catalogue: nothing is learned from it, the calibration goes by it
	Evidences
)

// EvidenceWeights weigh each.
type EvidenceWeights [Evidences]float64

// mostMargin bounds Margin: a lead that is great enough tells no more.
const mostMargin = 4

// crowd is how many of the best articles Crowd and OneText look at.
const crowd = 10

// tops are the evidence that a feature of the best article is.
var tops = map[int]int{TopWords: WordsOfMost, TopHeld: Held, TopCovered: Covered, TopLegal: CoveredLegal, TopCosine: Cosine,
	TopNear: NearCovered, TopFar: NearMissed, TopClose: Close, TopPath: PathLikeness, TopBeside: NeighborWords,
	TopAround: NeighborGap, TopNames: MissedNames, Strange: Unknown, Wordy: Asked}

// Watched is how many of the best articles need the features that only the gate goes
// by.
const Watched = 1

// LogCovered looks at so many of the best articles; a little is as much as one rare
// word of a long question.
const (
	coverers = 5
	little   = 0.05
)

// EvidenceOf reads the evidence from the best articles, the best first, with what each is
// worth by Weigh, the text that it is of, and Shape.Of the catalogue. Without any article all
// is 0.
func EvidenceOf[T comparable](features []*Features, scores []float64, texts []T, shape float64) (e Evidence) {
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
	e[LongTexts] = shape
	e[Crowd], e[OneText] = 1/sum, oneText(texts[:min(len(texts), crowd)])
	for at, of := range tops {
		e[at] = float64(top[of])
	}
	e[LogCovered] = math.Log(MostCovered(features) + little)
	e[TopFigure] = float64(max(top[Unfigured], top[Unpunished]))
	e[TopNotLocal] = float64(max(top[NotLocal], top[Foreign], top[UnknownCountry]))
	return e
}

// oneText is OneText; of a single article all is of one text.
func oneText[T comparable](texts []T) float64 {
	if len(texts) < 2 {
		return 1
	}
	same := 0.0
	for _, t := range texts[1:] {
		if t == texts[0] {
			same++
		}
	}
	return same / float64(len(texts)-1)
}

// MostCovered is the share of the question that one of the best articles, which are in
// order, has at most.
func MostCovered(features []*Features) (most float64) {
	for _, f := range features[:min(len(features), coverers)] {
		most = max(most, float64(f[Covered]+f[CoveredLegal]))
	}
	return most
}

// Covering is MostCovered, as the evidence has it.
func (e *Evidence) Covering() float64 { return math.Exp(e[LogCovered]) - little }

// Sum is the regression's.
func (c *Chance) Sum(e *Evidence) (sum float64) {
	sum = c.Bias
	for i, x := range e {
		sum += float64(c.Weights[i] * x)
	}
	return sum
}

// Of is the probability.
func (c *Chance) Of(e *Evidence) float64 {
	p := c.calibration(e[LongTexts])
	return sigmoid(float64(p.Slope*c.Sum(e)) + p.Shift)
}

// Verdict is what becomes of a question.
func (g *Gate) Verdict(e *Evidence) Verdict {
	switch {
	case g.Has.Of(e) < g.Unsure:
		return Unlikely
	case g.First.Of(e) >= g.Sure:
		return Sure
	}
	return Unsure
}

func (g *Gate) check() error {
	for _, x := range []float64{g.Floor, g.Sure, g.Unsure, g.Other, g.Reading} {
		if !(0 <= x && x <= 1) {
			return errs.New(errs.Invalid, "rank: a threshold of the gate is no probability")
		}
	}
	for _, c := range []*Chance{&g.First, &g.Has} {
		if c.Slope < 0 || c.Long != nil && c.Long.Slope < 0 {
			return errs.New(errs.Invalid, "rank: more evidence makes the gate doubt")
		}
	}
	return nil
}
