package rank

import (
	_ "embed" // the weights
	"encoding/json"
	"math"
	"sync"

	"vigueur/internal/kit/errs"
)

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
