// Package chain labels the items of a sequence with a linear-chain conditional random field: an item is
// described by its features, each label has a weight for each feature, and each pair of consecutive labels
// has a weight. See Lafferty, McCallum and Pereira, "Conditional random fields" (ICML 2001).
//
// A Model is read with Read, is immutable, and safe for use by many goroutines. Labeling is exact: Best is the
// most probable path among those that the caller allows, and Probs has the probability of every label of every
// item. The laboratory trains models and writes them (lab/training/labeling).
package chain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Item is one item of a sequence: the hashes of its features, by Hash.
type Item []uint32

// Mask is the set of labels that an item may have: bit l for label l. Zero allows all.
type Mask uint64

// MostLabels is the maximum number of labels of a model.
const MostLabels = 64

// Model is a learned chain.
type Model struct {
	labels  int
	index   map[uint32]int32 // row of weights, by the hash of a feature
	weights []float32        // rows of one weight for each label
	follow  []float32        // [a*labels+b]: weight of b right after a
	first   []float32
	last    []float32
	barred  []bool // [a*labels+b]: b never comes right after a
}

// never is the score of a label, or of a pair of labels, that is not allowed.
const never = -1e30

// Path is a labeled sequence.
type Path struct {
	Labels []int
	// Probs holds the probability of each label of each item over all allowed paths, one row for each item.
	Probs []float32
}

// Prob returns the probability that item i has label l.
func (p Path) Prob(i, l int) float64 {
	return float64(p.Probs[i*(len(p.Probs)/len(p.Labels))+l])
}

// Scored is a sequence with the scores of its items, which can be labeled under different masks. It is safe
// for use by many goroutines.
type Scored struct {
	m    *Model
	n    int
	emit []float64
}

// Score computes the scores of items, which is most of the work of labeling them.
func (m *Model) Score(items []Item) Scored {
	return Scored{m, len(items), newLattice(m, items).emit}
}

// Probs returns the probabilities of the labels, as in Path.Probs. masks is nil, or has one mask for each item. A mask
// that allows none of the model's labels allows all of them.
func (s Scored) Probs(masks []Mask) []float32 {
	if s.n == 0 {
		return nil
	}
	l := s.latticeUnder(masks)
	l.sum()
	return l.marginals()
}

// Best returns the labels of the most probable path among those that masks allow. It takes a fraction of the time of
// Probs.
func (s Scored) Best(masks []Mask) []int {
	if s.n == 0 {
		return nil
	}
	labels, _ := s.latticeUnder(masks).bestPath()
	return labels
}

// latticeUnder returns the lattice of the sequence under masks.
func (s Scored) latticeUnder(masks []Mask) *lattice {
	l := &lattice{m: s.m, n: s.n, k: s.m.labels, emit: slices.Clone(s.emit)}
	l.allow(masks)
	return l
}

// lattice holds the scores of a sequence under a model.
type lattice struct {
	m     *Model
	n, k  int
	emit  []float64 // [i*k+l]: score of label l of item i
	alpha []float64 // [i*k+l]: scaled sum over all paths up to label l of item i
	beta  []float64 // [i*k+l]: scaled sum over all paths from label l of item i to the end
	z     float64   // logarithm of the sum over all paths, set by sum
}

func newLattice(m *Model, items []Item) *lattice {
	l := &lattice{m: m, n: len(items), k: m.labels}
	l.emit = make([]float64, l.n*l.k)
	for i, item := range items {
		row := l.emit[i*l.k : (i+1)*l.k]
		for _, f := range item {
			pos, ok := m.index[f]
			if !ok {
				continue
			}
			for y, w := range m.weights[int(pos)*l.k : (int(pos)+1)*l.k] {
				row[y] += float64(w)
			}
		}
	}
	return l
}

// allow excludes the labels that masks do not allow.
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

// step returns the score of label b right after label a.
func (l *lattice) step(a, b int) float64 {
	if l.m.barred[a*l.k+b] {
		return never
	}
	return float64(l.m.follow[a*l.k+b])
}

// steps returns step for all pairs.
func (l *lattice) steps() []float64 {
	out := make([]float64, l.k*l.k)
	for a := range l.k {
		for b := range l.k {
			out[a*l.k+b] = l.step(a, b)
		}
	}
	return out
}

// bestPath returns the path with the highest score (Viterbi algorithm).
func (l *lattice) bestPath() (labels []int, score float64) {
	enter, leave := make([]float64, l.k), make([]float64, l.k)
	for y := range l.k {
		enter[y], leave[y] = float64(l.m.first[y]), float64(l.m.last[y])
	}
	return l.bestBetween(enter, leave)
}

// bestBetween returns the path with the highest score, given the scores of beginning (enter) and ending
// (leave) with each label.
func (l *lattice) bestBetween(enter, leave []float64) (labels []int, score float64) {
	k, steps := l.k, l.steps()
	back := make([]int8, l.n*k)
	cur, next := make([]float64, k), make([]float64, k)
	for y := range k {
		cur[y] = enter[y] + l.emit[y]
	}
	for i := 1; i < l.n; i++ {
		for b := range k {
			start, top := 0, math.Inf(-1)
			for a := range k {
				if s := cur[a] + steps[a*k+b]; s > top {
					start, top = a, s
				}
			}
			back[i*k+b], next[b] = int8(start), top+l.emit[i*k+b]
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

// sum sets alpha and beta by the forward-backward algorithm, and returns the log of the sum over all paths.
// It computes with scaled probabilities, because logarithms take ten times as long.
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

// scale divides a row by its sum, and returns the logarithm of this sum.
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

// marginals returns the probability of each label of each item. sum must be called before.
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

// Hash returns the hash of a feature that consists of several parts: FNV-1a of 32 bits over the parts, each
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

// The encoding of a model: magic, number of labels, scale, the weights of pairs, first and last labels, the
// number of features, the differences between their hashes in increasing order, and their weights. A weight
// is one byte, in units of a 127th of the scale. lab/training/labeling writes it.
const magic = "CRF1"

// mostFeatures is more than any reasonable model has.
const mostFeatures = 1 << 20

// ErrModel reports bytes that encode no model.
var ErrModel = errors.New("invalid model")

// Read decodes a model. It returns ErrModel for anything else.
func Read(b []byte) (m *Model, err error) {
	defer func() {
		if recover() != nil {
			m, err = nil, fmt.Errorf("%w: truncated", ErrModel)
		}
	}()
	if len(b) < len(magic)+5 || string(b[:len(magic)]) != magic || b[len(magic)] == 0 || b[len(magic)] > MostLabels {
		return nil, ErrModel
	}
	k := int(b[len(magic)])
	top := math.Float32frombits(binary.LittleEndian.Uint32(b[len(magic)+1:]))
	b = b[len(magic)+5:]
	m = &Model{labels: k}
	weights := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(int8(b[i])) / 127 * top
		}
		b = b[n:]
		return out
	}
	m.follow, m.first, m.last = weights(k*k), weights(k), weights(k)
	m.barred = make([]bool, k*k)
	for i := range m.barred {
		m.barred[i] = b[i] != 0
	}
	b = b[k*k:]
	n, size := binary.Uvarint(b)
	if size <= 0 || n > mostFeatures || n*uint64(k) > uint64(len(b)) {
		return nil, ErrModel
	}
	b = b[size:]
	m.index = make(map[uint32]int32, n)
	pos := uint32(0)
	for i := range int32(n) {
		d, size := binary.Uvarint(b)
		if size <= 0 || d > math.MaxUint32 {
			return nil, ErrModel
		}
		b = b[size:]
		pos += uint32(d)
		m.index[pos] = i
	}
	m.weights = weights(int(n) * k)
	if len(b) != 0 {
		return nil, ErrModel
	}
	return m, nil
}
