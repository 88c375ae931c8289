package chain

import "slices"

// Mean is the mean of models that have the same features, such as one model at several times of its training.
type Mean struct {
	sum   *Model
	count float32
}

// Add adds the current weights of a model to the mean.
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

// Model returns the mean, nil if nothing was added. Nothing can be added after it.
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

// parts returns all weights of a model.
func (m *Model) parts() [][]float32 { return [][]float32{m.weights, m.follow, m.first, m.last} }

// MeanOf returns the mean of at least one model. All must have the same labels. Their features may differ: a
// model that lacks a feature counts as zero for it. The barred pairs are those of the first model.
func MeanOf(models ...*Model) *Model {
	k, n := models[0].labels, float32(len(models))
	out := &Model{labels: k, index: map[uint32]int32{}, barred: slices.Clone(models[0].barred),
		follow: make([]float32, k*k), first: make([]float32, k), last: make([]float32, k)}
	for _, m := range models {
		for f, at := range m.index {
			to, ok := out.index[f]
			if !ok {
				to = int32(len(out.index))
				out.index[f] = to
				out.weights = append(out.weights, make([]float32, k)...)
			}
			addShare(out.weights[int(to)*k:], m.row(at), n)
		}
		addShare(out.follow, m.follow, n)
		addShare(out.first, m.first, n)
		addShare(out.last, m.last, n)
	}
	return out
}

// addShare adds values, divided by n.
func addShare(to, values []float32, n float32) {
	for i, v := range values {
		to[i] += v / n
	}
}
