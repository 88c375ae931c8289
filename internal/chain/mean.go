package chain

import "slices"

// Mean is the mean of models that have the same features: of one that is learned, at
// several times.
type Mean struct {
	sum   *Model
	count float32
}

// Add takes a model as it is now into the mean.
func (a *Mean) Add(m *Model) {
	a.count++
	if a.sum == nil {
		sum := *m
		sum.weights, sum.follow, sum.first, sum.last = slices.Clone(m.weights), slices.Clone(m.follow), slices.Clone(m.first), slices.Clone(m.last)
		a.sum = &sum
		return
	}
	for i, part := range a.sum.parts() {
		for j, v := range m.parts()[i] {
			part[j] += v
		}
	}
}

// Model is the mean, nil of nothing. Nothing can be added behind it.
func (a *Mean) Model() *Model {
	if a.sum == nil {
		return nil
	}
	for _, part := range a.sum.parts() {
		for j := range part {
			part[j] /= a.count
		}
	}
	return a.sum
}

// parts are all weights of a model.
func (m *Model) parts() [][]float32 { return [][]float32{m.weights, m.follow, m.first, m.last} }
