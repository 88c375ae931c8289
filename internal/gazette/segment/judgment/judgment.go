// Package judgment holds what was learned about cutting, beside the chain of labels: how article
// numbers follow one another, which change to a reading is right, and which signals together make
// a doubt. judgment.json goes in, as lab/training/witness wrote it. Weights and probabilities come out.
package judgment

import (
	_ "embed"
	"encoding/json"
	"math"
	"sync"

	"vigueur/internal/gazette"
)

// learned is the judgment that scripts/train witness wrote.
//
//go:embed judgment.json
var learned []byte

// Judgment holds what was learned about how files are cut and which texts are doubted. The weights of
// signals come from a logistic regression over texts that were cut by models that had not seen them.
type Judgment struct {
	// Provenance says what the judgment was learned from.
	Provenance string
	// Numbering holds the log-odds of each way in which the numbers of articles follow one another, and of
	// each sign of a candidate, by their names in Followings.
	Numbering map[string]float64
	// Trust is the weight of the chain's log-odds beside Numbering.
	Trust float64
	// Rereading holds the weight of each feature of a change to a reading, by the names of RereadingNames. If
	// it is empty, the chain's reading is never changed.
	Rereading map[string]float64
	// Weights are the weights of the signals, by kind. Bias is the log-odds of a fault in a text without signals.
	Weights map[gazette.SignalKind]float64
	Bias    float64
	// Threshold is the probability of a fault from which on a text is doubted.
	Threshold float64
}

// Standard returns the judgment that comes with the program.
var Standard = sync.OnceValue(func() Judgment {
	var j Judgment
	if err := json.Unmarshal(learned, &j); err != nil {
		panic(err) // the data is embedded, so every test would fail
	}
	return j
})

// Wrong returns the probability that a text with the given signals is cut or read wrongly.
func (j Judgment) Wrong(signals []gazette.Signal) float64 {
	z := j.Bias
	for _, w := range signals {
		z += j.Weights[w.Kind] * w.Value
	}
	return 1 / (1 + math.Exp(-z))
}
