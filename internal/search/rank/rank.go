// Package rank orders what a search found and estimates how likely an article answers a question, by linear models
// whose weights scripts/train ranking learned from questions with the articles that answer them.
//
// Features describe a found passage and its article: the index sets those that it knows (words, meaning, neighbors),
// and package retrieve, which reads the article, sets the others. Find orders the passages of an index by the index's
// features; Order, or Long if the texts of the catalogue are long, orders the articles that were read by all
// features. Weigh gives these articles a score that is comparable between catalogues. Each has one set of weights for
// each kind of vectors that a search may use (Vectors). Gate estimates from the best articles how likely the first
// one answers.
//
// The weights are in weights.json, which also names the files that they were learned from.
package rank

import (
	_ "embed" // the weights
	"encoding/json"
	"math"
	"sync"

	"vigueur/internal/kit/errs"
)

//go:embed weights.json
var embeddedWeights []byte

// Source is a file that weights were learned from.
type Source struct {
	File    string `json:"file"`
	Holds   string `json:"holds"`
	Licence string `json:"licence"`
	SHA256  string `json:"sha256"`
}

// Model holds all learned weights.
type Model struct {
	Made    string   `json:"made"`
	Sources []Source `json:"sources"`
	Find    Step     `json:"find"`
	Order   Step     `json:"order"`      // for a catalogue of many short texts
	Long    Step     `json:"order_long"` // for a catalogue of few long texts
	Shape   Shape    `json:"shape"`
	Weigh   Step     `json:"weigh"` // gives scores that are comparable between catalogues, for the gate
	Gate    Gates    `json:"gate"`
}

// Shape holds the mean number of passages per text of the two kinds of catalogue from which the orders were learned.
// Among many short texts the task is to find the text that answers; in a catalogue of few long texts there is little
// choice of texts.
type Shape struct {
	Short float64 `json:"short"`
	Long  float64 `json:"long"`
}

// Position returns the position of a catalogue with the given mean number of passages per text between short texts
// (0) and long ones (1), on a logarithmic scale.
func (s Shape) Position(perText float64) float64 {
	if !(s.Short > 0 && s.Long > s.Short && perText > s.Short) {
		return 0
	}
	return min(1, math.Log(perText/s.Short)/math.Log(s.Long/s.Short))
}

// Ordering returns the weights that order the articles of a catalogue with the given mean number of passages per
// text, interpolated between those for short texts and those for long ones.
func (m *Model) Ordering(vectors Vectors, perText float64) (w Weights) {
	long, short := m.Long.For(vectors), m.Order.For(vectors)
	share := m.Shape.Position(perText)
	for i := range w {
		w[i] = float64((1-share)*short[i]) + float64(share*long[i])
	}
	return w
}

// Vectors is the kind of vectors that a search uses in addition to words.
type Vectors int8

// The kinds of vectors.
const (
	NoVectors       Vectors = iota // words alone
	WordVectors                    // vectors of the index
	SentenceVectors                // vectors of the index and, for the articles that were read, vectors of their sentences
	vectorKinds
)

// String returns the name of the kind in messages and files.
func (v Vectors) String() string {
	return [vectorKinds]string{"words alone", "vectors of words", "vectors of sentences"}[v]
}

// Step holds the weights of one step for each kind of vectors.
type Step struct {
	Sentences Weights `json:"sentences"`
	Semantic  Weights `json:"meant"` // with the vectors of the index
	Words     Weights `json:"words"` // without vectors
}

// For returns the weights for a search with the given kind of vectors.
func (s *Step) For(vectors Vectors) *Weights {
	return [vectorKinds]*Weights{&s.Words, &s.Semantic, &s.Sentences}[vectors]
}

// Weights are the weights of one linear model. Files name them by feature.
type Weights [Count]float64

// Score returns the weighted sum of the features. It adds them in order, so that the
// same features give the same bits everywhere.
func (w *Weights) Score(f *Features) (sum float64) {
	for i, x := range f {
		sum += float64(w[i] * float64(x))
	}
	return sum
}

// New returns the model that is embedded in the program.
var New = sync.OnceValues(func() (*Model, error) { return Read(embeddedWeights) })

// Builtin returns the model of New. It panics if the model cannot be read, because then the program was built
// wrongly.
func Builtin() *Model {
	m, err := New()
	if err != nil {
		panic(err)
	}
	return m
}

// Read reads a model. An error of kind errs.Invalid says why it cannot be used.
func Read(data []byte) (*Model, error) {
	m := new(Model)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errs.Wrap(errs.Invalid, "rank: the weights cannot be read", err)
	}
	if m.Shape.Short < 0 || m.Shape.Long < 0 {
		return nil, errs.New(errs.Invalid, "rank: a mean number of passages is negative")
	}
	for _, g := range []*Gate{&m.Gate.Sentences, &m.Gate.Semantic, &m.Gate.Words} {
		if err := g.check(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// sigmoid returns 1/(1+e^-x), without overflow.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

//go:embed reading.json
var embeddedReading []byte

// ReadModel holds weights for the scores of a reader. A reader reads the best articles of an order together with the
// question (package transformer).
type ReadModel struct {
	Made    string   `json:"made"`
	Sources []Source `json:"sources"`
	Mix     float64  `json:"mix"`    // weight of a reader's score beside the score of Model.Ordering
	Temper  float64  `json:"temper"` // what a difference of mixed scores is worth as a logarithm of odds
	Lead    float64  `json:"lead"`   // reading ends where the best mixed score is ahead of the next article's score by more
	Gate    Gate     `json:"gate"`
}

// NewReading returns the ReadModel that is embedded in the program.
var NewReading = sync.OnceValues(func() (*ReadModel, error) {
	m := new(ReadModel)
	if err := json.Unmarshal(embeddedReading, m); err != nil {
		return nil, errs.Wrap(errs.Invalid, "rank: the weights of the reader cannot be read", err)
	}
	return m, m.Gate.check()
})

// BuiltinReading returns the model of NewReading. It panics if the model cannot be read, because then the program was
// built wrongly.
func BuiltinReading() *ReadModel {
	m, err := NewReading()
	if err != nil {
		panic(err)
	}
	return m
}

// mostRead bounds ReadMargin, because a greater lead is no further evidence.
const mostRead = 8

// AddReading sets the evidence that a reader adds. score is that of the reader for the first article; mixed are the
// scores of the order with the reader's, best first; first is the probability that the gate gave before.
func (e *Evidence) AddReading(score float64, mixed []float64, first float64) {
	e[ReadTop], e[ReadMargin], e[BeforeFirst] = score, mostRead, logit(first)
	if len(mixed) > 1 {
		e[ReadMargin] = min(mostRead, max(0, mixed[0]-mixed[1]))
	}
}

// logit returns the logarithm of the odds of a probability, bounded so that a certain gate leaves room for doubt.
func logit(p float64) float64 {
	const bound = 6
	return min(bound, max(-bound, math.Log(p/(1-p))))
}
