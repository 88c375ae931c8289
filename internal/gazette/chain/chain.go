// Package chain labels the items of a sequence with a linear-chain conditional random field:
// an item is described by its features, each label has a weight for each feature, and each
// pair of consecutive labels has a weight. Lafferty, McCallum and Pereira, "Conditional random
// fields" (ICML 2001).
//
// A Model is read with Read, is immutable, and safe for use by many goroutines. Label is exact:
// it returns the most probable path among those that the caller allows, and the probability of
// every label of every item. A Trainer learns a model, also from items for which only some
// labels are known to be wrong. The same sequences in the same order give the same model, bit
// for bit, on the same processor architecture.
package chain

import (
	"math"
	"slices"
)

// Item is one item of a sequence: the hashes of its features, by Hash.
type Item []uint32

// Mask says which labels an item may have: bit l for label l. Zero allows all.
type Mask uint64

// MostLabels is how many labels a model has at most.
const MostLabels = 64

// Model is a learned chain.
type Model struct {
	labels  int
	index   map[uint32]int32 // a feature's hash -> its row in weights
	weights []float32        // rows of one weight a label
	follow  []float32        // [a*labels+b]: b right behind a
	first   []float32
	last    []float32
	barred  []bool // [a*labels+b]: b never stands right behind a
}

// never is the weight of what is not allowed.
const never = -1e30

// Labels is how many labels there are.
func (m *Model) Labels() int { return m.labels }

// Features is how many features have weights.
func (m *Model) Features() int { return len(m.index) }

// Path is a labeled sequence.
type Path struct {
	Labels []int
	// Probs is the probability of each label of each item under all allowed paths,
	// a row of Labels() values an item.
	Probs []float32
	// Log is the logarithm of the path's own probability.
	Log float64
}

// Prob is the probability that item i has label l.
func (p Path) Prob(i, l int) float64 {
	return float64(p.Probs[i*(len(p.Probs)/len(p.Labels))+l])
}

// Label returns the most probable path. Masks, where given, are one for each item;
// an item that its mask allows no label has any.
func (m *Model) Label(items []Item, masks []Mask) Path { return m.Score(items).Label(masks) }

// Scored is a sequence whose items were weighed, to be labeled under one mask after
// another. It is safe for use by many goroutines.
type Scored struct {
	m    *Model
	n    int
	emit []float64
}

// Score weighs items, which is most of the work of labeling them.
func (m *Model) Score(items []Item) Scored {
	return Scored{m, len(items), newLattice(m, items).emit}
}

// Label returns the most probable path, as Model.Label does.
func (s Scored) Label(masks []Mask) Path {
	if s.n == 0 {
		return Path{}
	}
	l := s.under(masks)
	labels, score := l.best()
	z := l.sum()
	return Path{Labels: labels, Probs: l.marginals(), Log: score - z}
}

// Probs returns the probabilities of labels alone, as a Path has them.
func (s Scored) Probs(masks []Mask) []float32 {
	if s.n == 0 {
		return nil
	}
	l := s.under(masks)
	l.sum()
	return l.marginals()
}

// Best returns the labels of the most probable path alone, for a fraction of the work.
func (s Scored) Best(masks []Mask) []int {
	if s.n == 0 {
		return nil
	}
	labels, _ := s.under(masks).best()
	return labels
}

// under is the sequence's lattice under masks.
func (s Scored) under(masks []Mask) *lattice {
	l := &lattice{m: s.m, n: s.n, k: s.m.labels, emit: slices.Clone(s.emit)}
	l.allow(masks)
	return l
}

// lattice is the scores of a sequence under a model.
type lattice struct {
	m     *Model
	n, k  int
	emit  []float64 // [i*k+l]
	alpha []float64 // log of the sum over all beginnings
	beta  []float64 // log of the sum over all ends
	z     float64
}

func newLattice(m *Model, items []Item) *lattice {
	l := &lattice{m: m, n: len(items), k: m.labels}
	l.emit = make([]float64, l.n*l.k)
	for i, item := range items {
		row := l.emit[i*l.k : (i+1)*l.k]
		for _, f := range item {
			at, ok := m.index[f]
			if !ok {
				continue
			}
			for y, w := range m.weights[int(at)*l.k : (int(at)+1)*l.k] {
				row[y] += float64(w)
			}
		}
	}
	return l
}

// allow bars the labels that masks do not allow.
func (l *lattice) allow(masks []Mask) {
	for i, mask := range masks {
		if mask &= 1<<l.k - 1; mask == 0 {
			continue
		}
		for y := range l.k {
			if mask&(1<<y) == 0 {
				l.emit[i*l.k+y] = never
			}
		}
	}
}

// step is the score of label b right behind label a.
func (l *lattice) step(a, b int) float64 {
	if l.m.barred[a*l.k+b] {
		return never
	}
	return float64(l.m.follow[a*l.k+b])
}

// steps is step of all pairs.
func (l *lattice) steps() []float64 {
	out := make([]float64, l.k*l.k)
	for a := range l.k {
		for b := range l.k {
			out[a*l.k+b] = l.step(a, b)
		}
	}
	return out
}

// best is the path of the highest score (Viterbi).
func (l *lattice) best() (labels []int, score float64) {
	enter, leave := make([]float64, l.k), make([]float64, l.k)
	for y := range l.k {
		enter[y], leave[y] = float64(l.m.first[y]), float64(l.m.last[y])
	}
	return l.bestBetween(enter, leave)
}

// bestBetween is the path of the highest score, with that of beginning and ending with
// each label.
func (l *lattice) bestBetween(enter, leave []float64) (labels []int, score float64) {
	k, steps := l.k, l.steps()
	back := make([]int8, l.n*k)
	cur, next := make([]float64, k), make([]float64, k)
	for y := range k {
		cur[y] = enter[y] + l.emit[y]
	}
	for i := 1; i < l.n; i++ {
		for b := range k {
			from, top := 0, math.Inf(-1)
			for a := range k {
				if s := cur[a] + steps[a*k+b]; s > top {
					from, top = a, s
				}
			}
			back[i*k+b], next[b] = int8(from), top+l.emit[i*k+b]
		}
		cur, next = next, cur
	}
	end, score := 0, math.Inf(-1)
	for y := range k {
		if s := cur[y] + leave[y]; s > score {
			end, score = y, s
		}
	}
	labels = make([]int, l.n)
	for i := l.n - 1; i >= 0; i-- {
		labels[i] = end
		end = int(back[i*k+end])
	}
	return labels, score
}

// sum fills alpha and beta and gives the log of the sum over all paths. It works on
// scaled probabilities, because logarithms cost ten times as much.
func (l *lattice) sum() float64 {
	k := l.k
	steps := l.steps()
	for i, s := range steps {
		steps[i] = math.Exp(s)
	}
	e := make([]float64, l.n*k)
	shift := 0.0
	for i := range l.n {
		row := l.emit[i*k : (i+1)*k]
		top := row[0]
		for _, s := range row {
			top = max(top, s)
		}
		shift += top
		for y, s := range row {
			e[i*k+y] = math.Exp(s - top)
		}
	}
	l.alpha, l.beta = make([]float64, l.n*k), make([]float64, l.n*k)
	for y := range k {
		l.alpha[y] = math.Exp(float64(l.m.first[y])) * e[y]
		l.beta[(l.n-1)*k+y] = math.Exp(float64(l.m.last[y]))
	}
	shift += scale(l.alpha[:k])
	for i := 1; i < l.n; i++ {
		prev, row := l.alpha[(i-1)*k:i*k], l.alpha[i*k:(i+1)*k]
		for a, p := range prev {
			if p == 0 {
				continue
			}
			for b, s := range steps[a*k : (a+1)*k] {
				row[b] += p * s
			}
		}
		for b := range row {
			row[b] *= e[i*k+b]
		}
		shift += scale(row)
	}
	scale(l.beta[(l.n-1)*k:])
	for i := l.n - 2; i >= 0; i-- {
		next, row := l.beta[(i+1)*k:(i+2)*k], l.beta[i*k:(i+1)*k]
		for a := range row {
			for b, s := range steps[a*k : (a+1)*k] {
				row[a] += s * e[(i+1)*k+b] * next[b]
			}
		}
		scale(row)
	}
	total := 0.0
	for y := range k {
		total += l.alpha[(l.n-1)*k+y] * math.Exp(float64(l.m.last[y]))
	}
	l.emit, l.z = e, shift+math.Log(total)
	return l.z
}

// scale makes a row sum to one and gives the log of what it summed to.
func scale(row []float64) float64 {
	total := 0.0
	for _, v := range row {
		total += v
	}
	if total == 0 {
		for i := range row {
			row[i] = 1 / float64(len(row))
		}
		return never
	}
	for i := range row {
		row[i] /= total
	}
	return math.Log(total)
}

// marginals is the probability of each label of each item, behind sum.
func (l *lattice) marginals() []float32 {
	out := make([]float32, l.n*l.k)
	for i := range l.n {
		total := 0.0
		for y := range l.k {
			total += l.alpha[i*l.k+y] * l.beta[i*l.k+y]
		}
		for y := range l.k {
			if total > 0 {
				out[i*l.k+y] = float32(l.alpha[i*l.k+y] * l.beta[i*l.k+y] / total)
			}
		}
	}
	return out
}

// Hash names a feature of several parts. It is FNV-1a of 32 bits over the parts, each
// followed by a separator.
func Hash(parts ...string) uint32 {
	const (
		offset    = 2166136261
		prime     = 16777619
		separator = 0x1f
	)
	h := uint32(offset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint32(p[i])) * prime
		}
		h = (h ^ separator) * prime
	}
	return h
}
