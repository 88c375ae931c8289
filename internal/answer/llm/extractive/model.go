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
var carried []byte

// File is one that the weights were learned from.
type File struct {
	Name    string `json:"file"`
	Holds   string `json:"holds"`
	Licence string `json:"licence"`
	SHA256  string `json:"sha256"`
}

// Learned holds the learned weights of the choice of sentences.
type Learned struct {
	Made    string  `json:"made"`
	Sources []File  `json:"sources"`
	Best    Weights `json:"best"`    // by the Features of a sentence: the sum is its score, comparable within a prompt
	Further Weights `json:"further"` // by those of an Offer: the log odds that it says something more that is asked
}

// Weights are the weights of a linear model by the names of their features.
type Weights map[string]float64

// of returns the weights in the order of some names.
func (w Weights) of(names []string) []float64 {
	out := make([]float64, len(names))
	for i, name := range names {
		out[i] = w[name]
	}
	return out
}

// New returns the model that the program carries.
var New = sync.OnceValues(func() (*Learned, error) { return Read(carried) })

// builtin is New where an error is a fault of the program itself.
func builtin() *Learned {
	m, err := New()
	if err != nil {
		panic(err)
	}
	return m
}

// Read reads a model; an error of kind errs.Invalid says why it is none. A weight of an
// unknown feature is an error.
func Read(data []byte) (*Learned, error) {
	m := new(Learned)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errs.Wrap(errs.Invalid, "extractive: the weights cannot be read", err)
	}
	for _, part := range []struct {
		of    Weights
		names []string
	}{{m.Best, featureNames[:]}, {m.Further, offerNames[:]}} {
		if len(part.of) == 0 {
			return nil, errs.New(errs.Invalid, "extractive: weights are missing")
		}
		for _, name := range slices.Sorted(maps.Keys(part.of)) {
			if !slices.Contains(part.names, name) {
				return nil, errs.New(errs.Invalid, fmt.Sprintf("extractive: there is no feature %q", name))
			}
		}
	}
	return m, nil
}

// sum returns the weighted sum of features. It adds them in order, so that the same
// features give the same bits everywhere.
func sum(weights, features []float64) (total float64) {
	for i, x := range features {
		total += float64(weights[i] * x)
	}
	return total
}
