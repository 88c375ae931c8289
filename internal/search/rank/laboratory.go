package rank

import "math"

// What the laboratory needs to train and to store features.

// Names returns the names of the features, in order.
func Names() []string { return append([]string(nil), names[:]...) }

// Indexed reports whether the index sets a feature.
func Indexed(i int) bool { return i < indexed }

// Ordered reports whether articles are ordered by a feature. The other features are only set for the first articles.
func Ordered(i int) bool { return i < ordered }

// Covering returns the MostCovered that the evidence was computed from.
func (e *Evidence) Covering() float64 { return math.Exp(e[LogCovered]) - leastCovered }
