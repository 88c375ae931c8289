package labeling

import (
	"slices"

	"vigueur/internal/gazette/chain"
)

// Mean is the mean of models that have the same features, such as one model at several times of its training.
type Mean struct {
	sum   *chain.Parts
	count float32
}

// Add adds the current weights of a model to the mean.
func (a *Mean) Add(model *chain.Model) {
	m := model.Parts()
	a.count++
	if a.sum == nil {
		sum := m
		sum.Weights, sum.Follow, sum.First, sum.Last = slices.Clone(m.Weights), slices.Clone(m.Follow), slices.Clone(m.First), slices.Clone(m.Last)
		a.sum = &sum
		return
	}
	for i, part := range weightsOf(*a.sum) {
		for j, v := range weightsOf(m)[i] {
			part[j] += v
		}
	}
}

// Model returns the mean, nil if nothing was added. Nothing can be added after it.
func (a *Mean) Model() *chain.Model {
	if a.sum == nil {
		return nil
	}
	for _, part := range weightsOf(*a.sum) {
		for j := range part {
			part[j] /= a.count
		}
	}
	return chain.Of(*a.sum)
}

// weightsOf returns all weights of a model.
func weightsOf(p chain.Parts) [][]float32 { return [][]float32{p.Weights, p.Follow, p.First, p.Last} }

// MeanOf returns the mean of at least one model. All must have the same labels. Their features may differ: a
// model that lacks a feature counts as zero for it. The barred pairs are those of the first model.
func MeanOf(models ...*chain.Model) *chain.Model {
	first, n := models[0].Parts(), float32(len(models))
	k := first.Labels
	out := chain.Parts{Labels: k, Index: map[uint32]int32{}, Barred: slices.Clone(first.Barred),
		Follow: make([]float32, k*k), First: make([]float32, k), Last: make([]float32, k)}
	for _, model := range models {
		m := model.Parts()
		for f, at := range m.Index {
			to, ok := out.Index[f]
			if !ok {
				to = int32(len(out.Index))
				out.Index[f] = to
				out.Weights = append(out.Weights, make([]float32, k)...)
			}
			addShare(out.Weights[int(to)*k:], row(m, at), n)
		}
		addShare(out.Follow, m.Follow, n)
		addShare(out.First, m.First, n)
		addShare(out.Last, m.Last, n)
	}
	return chain.Of(out)
}

// addShare adds values, divided by n.
func addShare(to, values []float32, n float32) {
	for i, v := range values {
		to[i] += v / n
	}
}
