package rank

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Weights are stored by the names of their features, never by index. So new features may be inserted anywhere, and a
// file with unknown features is refused.

// marshalNamed writes the non-zero weights by name.
func marshalNamed(names []string, weights []float64) ([]byte, error) {
	named := make(map[string]float64)
	for i, x := range weights {
		if x != 0 {
			named[names[i]] = x
		}
	}
	return json.Marshal(named)
}

// unmarshalNamed reads what marshalNamed wrote. Unknown names are an error, and so are weights without names.
func unmarshalNamed(data []byte, names []string, weights []float64) error {
	named := make(map[string]float64)
	if err := json.Unmarshal(data, &named); err != nil {
		return err
	}
	clear(weights)
	for name, x := range named {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("unknown weight %q", name)
		}
		weights[i] = x
	}
	return nil
}

// MarshalJSON writes the non-zero weights by the names of their features.
func (w Weights) MarshalJSON() ([]byte, error) { return marshalNamed(names[:], w[:]) }

// UnmarshalJSON reads weights. An unknown feature is an error.
func (w *Weights) UnmarshalJSON(data []byte) error { return unmarshalNamed(data, names[:], w[:]) }

// MarshalJSON writes the non-zero weights by the names of their evidence.
func (w EvidenceWeights) MarshalJSON() ([]byte, error) {
	return marshalNamed(evidenceNames[:], w[:])
}

// UnmarshalJSON reads weights. Unknown evidence is an error, and so is a list, whose values would change their
// meaning with the order of the evidence.
func (w *EvidenceWeights) UnmarshalJSON(data []byte) error {
	return unmarshalNamed(data, evidenceNames[:], w[:])
}
