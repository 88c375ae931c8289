package chain

// Parts are the numbers of a model. They are exported for the laboratory, which trains models and writes them.
type Parts struct {
	Labels  int
	Index   map[uint32]int32 // row of Weights, by the hash of a feature
	Weights []float32        // rows of one weight for each label
	Follow  []float32        // [a*Labels+b]: weight of b right after a
	First   []float32
	Last    []float32
	Barred  []bool // [a*Labels+b]: b never comes right after a
}

// Of returns the model of the parts. It shares their memory: changes of the parts change the model.
func Of(p Parts) *Model {
	return &Model{labels: p.Labels, index: p.Index, weights: p.Weights, follow: p.Follow, first: p.First, last: p.Last, barred: p.Barred}
}

// Parts returns the parts of the model, which share its memory. They must not be changed.
func (m *Model) Parts() Parts {
	return Parts{Labels: m.labels, Index: m.index, Weights: m.weights, Follow: m.follow, First: m.first, Last: m.last, Barred: m.barred}
}

// Sums are the sums over all allowed paths of a sequence, by the forward-backward algorithm. They are exported
// for the laboratory, which computes gradients from them.
type Sums struct {
	Log   float64   // the logarithm of the sum of exp(score) over the paths
	Probs []float32 // as in Path.Probs
	// One row for each item, with one value for each label. Within a row, the sum over the paths on which the item has
	// a label is proportional to the product of Forward and Backward for this label. Emit has exp(score) of each label,
	// also scaled row by row, which Forward includes.
	Forward, Emit, Backward []float64
}

// Sums returns the sums over the paths that masks allow. The sequence must not be empty.
func (s Scored) Sums(masks []Mask) Sums {
	l := s.latticeUnder(masks)
	log := l.sum()
	return Sums{Log: log, Probs: l.marginals(), Forward: l.alpha, Emit: l.emit, Backward: l.beta}
}

// ScoredAs returns a sequence whose items have the given scores, in rows of one for each label. It is exported for
// the laboratory, which computes the scores of a sequence without looking up its features again.
func (m *Model) ScoredAs(scores []float64) Scored {
	return Scored{m, len(scores) / m.labels, scores}
}
