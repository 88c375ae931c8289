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

// MeanOf is the mean of models of the same labels, one at least, whose features may
// differ: one that has no weights for a feature counts for it with nothing. What may
// not follow is that of the first.
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
			add(out.weights[int(to)*k:], m.row(at), n)
		}
		add(out.follow, m.follow, n)
		add(out.first, m.first, n)
		add(out.last, m.last, n)
	}
	return out
}

// add adds the n-th part of values.
func add(to, values []float32, n float32) {
	for i, v := range values {
		to[i] += v / n
	}
}
