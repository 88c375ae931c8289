package rank

import (
	"math"

	"vigueur/internal/kit/errs"
)

// Gates holds a gate for each kind of vectors.
type Gates struct {
	Sentences Gate `json:"sentences"`
	Semantic  Gate `json:"meant"` // with the vectors of the index
	Words     Gate `json:"words"` // without vectors
}

// For returns the gate for a search that used the given kind of vectors.
func (g *Gates) For(vectors Vectors) *Gate {
	return [vectorKinds]*Gate{&g.Words, &g.Semantic, &g.Sentences}[vectors]
}

// Gate estimates the probability that the best article answers a question, and the
// probability that any article of the catalogue does.
type Gate struct {
	Answerable
	Long *Answerable `json:"long,omitempty"` // for a catalogue of few long texts; nil means the same as for many short ones
	Sure float64     `json:"sure"`           // the minimum probability of First with which an answer counts as sure
	// Likely is the minimum probability of First with which an answer counts as likely.
	Likely float64 `json:"likely"`
	Other  float64 `json:"other"` // the minimum probability of an article with which the law of its country is mentioned beside that of the best one
	Floor  float64 `json:"floor"` // the minimum share of the question that an article covers with which its text is mentioned although nothing answers
}

// Answerable estimates whether the best article answers, and whether anything in a catalogue does. Among long texts
// nearly every question finds something similar, so both depend on other evidence there, and on less of it.
type Answerable struct {
	First  Chance  `json:"first"`
	Has    Chance  `json:"has"`
	Unsure float64 `json:"unsure"` // the minimum probability of Has with which articles are given as candidates
}

// HasAnswer returns the probability that anything in the catalogue answers, and the minimum one with which
// candidates are given. Both are interpolated between the values for short texts and those for long texts, by the
// shape of the catalogue.
func (g *Gate) HasAnswer(e *Evidence) (probability, least float64) {
	probability, least = g.Has.Probability(e), g.Unsure
	if g.Long == nil {
		return probability, least
	}
	return between(probability, g.Long.Has.Probability(e), e), between(least, g.Long.Unsure, e)
}

// FirstAnswers returns the probability that the best article answers, interpolated as that of HasAnswer is.
func (g *Gate) FirstAnswers(e *Evidence) float64 {
	if g.Long == nil {
		return g.First.Probability(e)
	}
	return between(g.First.Probability(e), g.Long.First.Probability(e), e)
}

// between interpolates between the values for short texts and those for long ones.
func between(short, long float64, e *Evidence) float64 {
	return float64((1-e[LongTexts])*short) + float64(e[LongTexts]*long)
}

// Chance computes a probability from evidence, by a logistic regression. Its sum x is calibrated by Platt's method,
// 1/(1 + exp(-(slope·x + shift))), on questions that were not used to train the regression.
type Chance struct {
	Bias    float64         `json:"bias"`
	Weights EvidenceWeights `json:"weights"`
	Platt
}

// Platt holds the parameters of a calibration.
type Platt struct {
	Slope float64 `json:"slope"`
	Shift float64 `json:"shift"`
}

// Evidence describes how well a search went: the features that its best articles have, and comparisons between them.
type Evidence [Evidences]float64

// The evidence. Features are those of the best article.
const (
	TopScore         = iota // score by Model.Weigh; only shown, because nothing is learned from it
	Margin                  // lead in score over the second article, at most 4
	Crowd                   // e^score, divided by the sum of e^score of the ten best
	TopWords                // WordsOfMost
	TopHeld                 // Held
	TopCovered              // Covered
	TopLegal                // CoveredLegal
	TopCosine               // Cosine
	TopSentence             // Sentence
	TopSentenceGap          // SentenceGap
	TopProjected            // Projected
	TopRankProjected        // RankProjected
	TopNear                 // NearCovered
	TopFar                  // NearMissed
	TopClose                // Close
	TopPath                 // PathLikeness
	TopBeside               // NeighborWords
	TopAround               // NeighborGap
	TopFigure               // Unfigured or Unpunished
	TopNames                // MissedNames
	TopNotLocal             // NotLocal, Foreign or UnknownCountry
	LogCovered              // ln of the greatest Covered plus CoveredLegal of the five best, plus leastCovered; a question that is hardly covered is not answered
	Strange                 // Unknown, a property of the question
	Wordy                   // Asked, a property of the question
	OneText                 // share of the next best articles, up to the tenth, that belong to the text of the best; a question without an answer finds a little in many texts
	LongTexts               // Shape.Position of the catalogue; nothing is learned from it, but calibration and Gate.Long depend on it
	ReadTop                 // score of a reader
	ReadMargin              // lead over the second article in the score that is mixed with the reader's
	BeforeFirst             // ln of the odds that the gate without a reader gives the first article of the order without it
	Evidences
)

// EvidenceWeights are the weights of the evidence.
type EvidenceWeights [Evidences]float64

// mostMargin bounds Margin, because a greater lead is no further evidence.
const mostMargin = 4

// crowdSize is the number of best articles that Crowd and OneText consider.
const crowdSize = 10

// featureOf maps evidence to the feature of the best article that it equals.
var featureOf = map[int]int{TopWords: WordsOfMost, TopHeld: Held, TopCovered: Covered, TopLegal: CoveredLegal, TopCosine: Cosine, TopSentence: Sentence, TopSentenceGap: SentenceGap,
	TopProjected: Projected, TopRankProjected: RankProjected,
	TopNear: NearCovered, TopFar: NearMissed, TopClose: Close, TopPath: PathLikeness, TopBeside: NeighborWords,
	TopAround: NeighborGap, TopNames: MissedNames, Strange: Unknown, Wordy: Asked}

// GateArticles is the number of best articles for which the features that only the gate uses are computed.
const GateArticles = 1

// LogCovered considers coveringArticles of the best articles, and adds leastCovered, the share of one rare word in a
// long question.
const (
	coveringArticles = 5
	leastCovered     = 0.05
)

// EvidenceOf computes the evidence from the features of the best articles (best first), their scores by Weigh, the
// texts that they are of, and the catalogue's shape. Without articles every value is 0.
func EvidenceOf[T comparable](features []*Features, scores []float64, texts []T, shape float64) (e Evidence) {
	if len(features) == 0 {
		return e
	}
	top := features[0]
	e[TopScore], e[Margin] = scores[0], mostMargin
	sum := 0.0
	for i, s := range scores[:min(len(scores), crowdSize)] {
		if i == 1 {
			e[Margin] = min(mostMargin, max(0, scores[0]-s))
		}
		sum += math.Exp(s - scores[0])
	}
	e[LongTexts] = shape
	e[Crowd], e[OneText] = 1/sum, oneText(texts[:min(len(texts), crowdSize)])
	for pos, index := range featureOf {
		e[pos] = float64(top[index])
	}
	e[LogCovered] = math.Log(MostCovered(features) + leastCovered)
	e[TopFigure] = float64(max(top[Unfigured], top[Unpunished]))
	e[TopNotLocal] = float64(max(top[NotLocal], top[Foreign], top[UnknownCountry]))
	return e
}

// oneText computes OneText, the share of the other texts that equal the first; 1 for a single article.
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

// MostCovered returns the greatest share of the question that one of the best articles covers. The articles must be
// ordered, best first.
func MostCovered(features []*Features) (most float64) {
	for _, f := range features[:min(len(features), coveringArticles)] {
		most = max(most, float64(f[Covered]+f[CoveredLegal]))
	}
	return most
}

// Sum returns the weighted sum of the regression.
func (c *Chance) Sum(e *Evidence) (sum float64) {
	sum = c.Bias
	for i, x := range e {
		sum += float64(c.Weights[i] * x)
	}
	return sum
}

// Probability returns the calibrated probability.
func (c *Chance) Probability(e *Evidence) float64 {
	return sigmoid(float64(c.Slope*c.Sum(e)) + c.Shift)
}

func (g *Gate) check() error {
	thresholds, chances := []float64{g.Floor, g.Sure, g.Likely, g.Unsure, g.Other}, []*Chance{&g.First, &g.Has}
	if g.Long != nil {
		thresholds, chances = append(thresholds, g.Long.Unsure), append(chances, &g.Long.First, &g.Long.Has)
	}
	for _, x := range thresholds {
		if !(0 <= x && x <= 1) {
			return errs.New(errs.Invalid, "rank: a threshold of the gate is not between 0 and 1")
		}
	}
	for _, c := range chances {
		if c.Slope < 0 {
			return errs.New(errs.Invalid, "rank: a slope of a calibration is negative")
		}
	}
	return nil
}
