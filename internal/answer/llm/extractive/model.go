package extractive

import (
	_ "embed" // the weights
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"vigueur/internal/kit/errs"
)

//go:embed weights.json
var embeddedWeights []byte

// File describes a file that the weights were learned from.
type File struct {
	Name    string `json:"file"`
	Holds   string `json:"holds"`
	Licence string `json:"licence"`
	SHA256  string `json:"sha256"`
}

// Learned holds the weights that choose sentences.
type Learned struct {
	Made    string  `json:"made"`
	Sources []File  `json:"sources"`
	Best    Weights `json:"best"` // by feature of a sentence; the weighted sum is its score, learned to compare sentences of one passage
}

// Weights are the weights of a linear model, by feature name.
type Weights map[string]float64

// inOrderOf returns the weights in the order of the names; 0 for a name without one.
func (w Weights) inOrderOf(names []string) []float64 {
	out := make([]float64, len(names))
	for i, name := range names {
		out[i] = w[name]
	}
	return out
}

// New returns the embedded model.
var New = sync.OnceValues(func() (*Learned, error) { return Read(embeddedWeights) })

// builtin returns the embedded model. It panics on an error, because the program is then
// broken.
func builtin() *Learned {
	m, err := New()
	if err != nil {
		panic(err)
	}
	return m
}

// Read decodes a model. Errors are of kind errs.Invalid, also for a weight of an unknown
// feature.
func Read(data []byte) (*Learned, error) {
	m := new(Learned)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errs.Wrap(errs.Invalid, "extractive: the weights cannot be read", err)
	}
	if len(m.Best) == 0 {
		return nil, errs.New(errs.Invalid, "extractive: weights are missing")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Best)) {
		if !slices.Contains(featureNames[:], name) {
			return nil, errs.New(errs.Invalid, fmt.Sprintf("extractive: there is no feature %q", name))
		}
	}
	return m, nil
}

// sum returns the weighted sum of the features. It adds them in order, without fused
// operations, so that the same features give the same bits on every machine.
func sum(weights, features []float64) (total float64) {
	for i, x := range features {
		total += float64(weights[i] * x)
	}
	return total
}
