// Package rank orders what a search found, and tells how likely an article
// answers a question: by linear models whose weights scripts/train ranking
// learned from questions with the articles that answer them.
//
// What is known of a found passage, and of the article it is of, is a Features:
// the index fills in what it knows (words, meaning, neighbors), whoever reads the
// article the rest. There are two steps. Find orders the passages of an index by
// what the index knows; Order, or Long where the texts of the catalogue are long, orders
// the articles that were read by all. Weigh gives these a score that means the same in each
// catalogue. Each has weights for searches that go by meaning too and for those by words alone. Gate
// tells from the best articles how likely the first one answers.
//
// The weights lie beside this file with what they were learned from, as JSON that
// people can read.
package rank

import (
	_ "embed" // the weights
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"vigueur/internal/errs"
)

//go:embed weights.json
var carried []byte

// Source says what a part of the weights was learned from.
type Source struct {
	File    string `json:"file"`
	Holds   string `json:"holds"`
	Licence string `json:"licence"`
	SHA256  string `json:"sha256"`
}

// Model is what was learned.
type Model struct {
	Made    string   `json:"made"`
	Sources []Source `json:"sources"`
	Find    Step     `json:"find"`
	Order   Step     `json:"order"`      // where there are many short texts
	Long    Step     `json:"order_long"` // where there are few long ones
	Shape   Shape    `json:"shape"`
	Weigh   Step     `json:"weigh"` // what a score is worth whatever the catalogue: the gate goes by it
	Gate    Gates    `json:"gate"`
}

// Shape is how many passages a text has on average in what the two orders were learned
// from. Of many short texts the first thing to find is which one answers; where one is long
// there is little to choose.
type Shape struct {
	Short float64 `json:"short"`
	Long  float64 `json:"long"`
}

// Of is how far a catalogue, by the passages that a text of it has on average, is on the
// way from short texts, 0, to long ones, 1: by the logarithm, so that ten times as long is
// as far wherever it begins.
func (s Shape) Of(perText float64) float64 {
	if !(s.Short > 0 && s.Long > s.Short && perText > s.Short) {
		return 0
	}
	return min(1, math.Log(perText/s.Short)/math.Log(s.Long/s.Short))
}

// Ordering are the weights by which articles that were read are put in order in a
// catalogue whose texts have so many passages on average: between those for short texts
// and those for long ones, as its shape is.
func (m *Model) Ordering(meant bool, perText float64) (w Weights) {
	long, short := m.Long.Of(meant), m.Order.Of(meant)
	share := m.Shape.Of(perText)
	for i := range w {
		w[i] = float64((1-share)*short[i]) + float64(share*long[i])
	}
	return w
}

// Step orders by the weights of searches by meaning too, or by words alone.
type Step struct {
	Semantic Weights `json:"meant"`
	Words    Weights `json:"words"`
}

// Of are the weights for a search that went by meaning, or did not.
func (s *Step) Of(meant bool) *Weights {
	if meant {
		return &s.Semantic
	}
	return &s.Words
}

// Weights are one linear model. In a file they go by the names of the features.
type Weights [Count]float64

// Score is the sum of the features by their weights, in order, so that the same
// features give the same bits everywhere.
func (w *Weights) Score(f *Features) (sum float64) {
	for i, x := range f {
		sum += float64(w[i] * float64(x))
	}
	return sum
}

// MarshalJSON writes the weights that are not 0 by their names.
func (w Weights) MarshalJSON() ([]byte, error) {
	named := make(map[string]float64)
	for i, x := range w {
		if x != 0 {
			named[names[i]] = x
		}
	}
	return json.Marshal(named)
}

// UnmarshalJSON reads weights; one of an unknown feature is an error.
func (w *Weights) UnmarshalJSON(data []byte) error {
	named := make(map[string]float64)
	if err := json.Unmarshal(data, &named); err != nil {
		return err
	}
	*w = Weights{}
	for name, x := range named {
		i, ok := numbers[name]
		if !ok {
			return fmt.Errorf("there is no feature %q", name)
		}
		w[i] = x
	}
	return nil
}

// New gives the model that the program carries.
var New = sync.OnceValues(func() (*Model, error) { return Read(carried) })

// Builtin is New for those who cannot go on without: a program that carries
// weights which cannot be read is broken.
func Builtin() *Model {
	m, err := New()
	if err != nil {
		panic(err)
	}
	return m
}

// Read reads a model; an error of kind errs.Invalid says why it is none.
func Read(data []byte) (*Model, error) {
	m := new(Model)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errs.Wrap(errs.Invalid, "rank: the weights cannot be read", err)
	}
	if m.Shape.Short < 0 || m.Shape.Long < 0 {
		return nil, errs.New(errs.Invalid, "rank: a text of a catalogue has fewer than no passages")
	}
	for _, g := range []*Gate{&m.Gate.Semantic, &m.Gate.Words} {
		if err := g.check(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// sigmoid is 1/(1+e^-x), without overflow.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}
