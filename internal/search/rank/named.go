package rank

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Weights are kept by the names of what they weigh, never by its number: what is new may
// then stand anywhere, and a file that knows of something else is refused.

// marshalNamed writes the weights that are not 0 by their names.
func marshalNamed(names []string, weights []float64) ([]byte, error) {
	named := make(map[string]float64)
	for i, x := range weights {
		if x != 0 {
			named[names[i]] = x
		}
	}
	return json.Marshal(named)
}

// unmarshalNamed reads what marshalNamed wrote; a name that there is none of is an error,
// and so are weights without names.
func unmarshalNamed(data []byte, names []string, weights []float64) error {
	named := make(map[string]float64)
	if err := json.Unmarshal(data, &named); err != nil {
		return err
	}
	clear(weights)
	for name, x := range named {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("nothing that is weighed is called %q", name)
		}
		weights[i] = x
	}
	return nil
}

// MarshalJSON writes the weights that are not 0 by the names of the features.
func (w Weights) MarshalJSON() ([]byte, error) { return marshalNamed(names[:], w[:]) }

// UnmarshalJSON reads weights; one of an unknown feature is an error.
func (w *Weights) UnmarshalJSON(data []byte) error { return unmarshalNamed(data, names[:], w[:]) }

// MarshalJSON writes the weights that are not 0 by the names of the evidence.
func (w EvidenceWeights) MarshalJSON() ([]byte, error) {
	return marshalNamed(evidenceNames[:], w[:])
}

// UnmarshalJSON reads weights; one of unknown evidence is an error, and so is a list, whose
// numbers would mean something else wherever there is other evidence.
func (w *EvidenceWeights) UnmarshalJSON(data []byte) error {
	return unmarshalNamed(data, evidenceNames[:], w[:])
}
