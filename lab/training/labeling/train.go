package labeling

import (
	"math"
	"slices"

	"vigueur/internal/gazette/chain"
)

// Example is a sequence to learn from. A mask of one bit is the label of its item, a mask of several bits
// means that the label is one of them, and zero means that it is unknown.
type Example struct {
	Items  []chain.Item
	Masks  []chain.Mask
	Weight float64 // how much it counts; 0 means 1
}

// Trainer holds the parameters of training: maximum likelihood of what is known, with AdaGrad (Duchi, Hazan
// and Singer, 2011) and a penalty on large weights. For an example with partly known labels, this is the
// likelihood of all paths that agree with it (Bellare and McCallum, 2007).
type Trainer struct {
	Labels int
	Rate   float64 // step size of AdaGrad
	Decay  float64 // L2 penalty, for each example
	Least  int     // the minimum number of items that must have a feature for it to be kept
	// Barred reports whether label b never comes right after label a.
	Barred func(a, b int) bool
}

// Learner is a model in training, with the sums of squares that AdaGrad divides by.
type Learner struct {
	chain.Parts
	rate, decay     float64
	square          []float32
	sqFollow        []float32
	sqFirst, sqLast []float32
	mark            []int32 // by row, its place in the current gradient, from 1; 0 if it has none
}

// Begin returns a model of zero weights for the features that are frequent enough in the examples.
func (t Trainer) Begin(examples []Example) *Learner {
	counts := map[uint32]int{}
	for _, e := range examples {
		for _, item := range e.Items {
			for _, f := range item {
				counts[f]++
			}
		}
	}
	var kept []uint32
	for f, n := range counts {
		if n >= t.Least {
			kept = append(kept, f)
		}
	}
	slices.Sort(kept)
	k := t.Labels
	p := chain.Parts{Labels: k, Index: make(map[uint32]int32, len(kept)), Weights: make([]float32, len(kept)*k),
		Follow: make([]float32, k*k), First: make([]float32, k), Last: make([]float32, k), Barred: make([]bool, k*k)}
	for i, f := range kept {
		p.Index[f] = int32(i)
	}
	if t.Barred != nil {
		for a := range k {
			for b := range k {
				p.Barred[a*k+b] = t.Barred(a, b)
			}
		}
	}
	return &Learner{Parts: p, rate: t.Rate, decay: t.Decay, square: make([]float32, len(p.Weights)), sqFollow: make([]float32, k*k),
		sqFirst: make([]float32, k), sqLast: make([]float32, k), mark: make([]int32, len(kept))}
}

// Model returns the model as it is now; training goes on changing it.
func (l *Learner) Model() *chain.Model { return chain.Of(l.Parts) }

// Clone returns a copy that can be trained independently.
func (l *Learner) Clone() *Learner {
	c := *l
	c.Weights, c.Follow, c.First, c.Last = slices.Clone(l.Weights), slices.Clone(l.Follow), slices.Clone(l.First), slices.Clone(l.Last)
	c.square, c.sqFollow, c.sqFirst, c.sqLast = slices.Clone(l.square), slices.Clone(l.sqFollow), slices.Clone(l.sqFirst), slices.Clone(l.sqLast)
	c.mark = slices.Clone(l.mark)
	return &c
}

// Teach trains on all examples once, in an order that depends only on the epoch. It returns the mean loss per
// item.
func (l *Learner) Teach(examples []Example, epoch int) float64 {
	loss, items := 0.0, 0
	for _, i := range order(len(examples), epoch) {
		loss += l.learn(examples[i])
		items += len(examples[i].Items)
	}
	return loss / float64(max(items, 1))
}

// order returns the indexes of the examples in a pseudo-random order that depends only on n and epoch.
func order(n, epoch int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	state := uint64(epoch)*0x9E3779B97F4A7C15 + 0x1234567
	for i := n - 1; i > 0; i-- {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		j := int(state % uint64(i+1))
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// learn takes one training step, and returns the loss of the example.
func (l *Learner) learn(e Example) float64 {
	if len(e.Items) == 0 {
		return 0
	}
	rows := l.rows(e.Items)
	scored := l.Model().ScoredAs(l.emissions(rows))
	free, known := scored.Sums(nil), scored.Sums(e.Masks)
	loss := free.Log - known.Log
	if math.IsNaN(loss) || loss > 1e20 { // no path agrees with the known labels
		return 0
	}
	weight := e.Weight
	if weight == 0 {
		weight = 1
	}
	want, have := known.Probs, free.Probs
	for i := range want {
		want[i] = (want[i] - have[i]) * float32(weight)
	}
	l.stepRows(rows, want)
	k, n := l.Labels, len(e.Items)
	pairs := l.pairs(known)
	for i, p := range l.pairs(free) {
		if !l.Barred[i] {
			l.move(&l.Follow[i], &l.sqFollow[i], weight*(pairs[i]-p))
		}
	}
	for y := range k {
		l.move(&l.First[y], &l.sqFirst[y], float64(want[y]))
		l.move(&l.Last[y], &l.sqLast[y], float64(want[(n-1)*k+y]))
	}
	return loss
}

// rows returns, for each item, the rows of its features.
func (l *Learner) rows(items []chain.Item) [][]int32 {
	out := make([][]int32, len(items))
	for i, item := range items {
		out[i] = make([]int32, 0, len(item))
		for _, f := range item {
			if at, ok := l.Index[f]; ok {
				out[i] = append(out[i], at)
			}
		}
	}
	return out
}

func (l *Learner) emissions(rows [][]int32) []float64 {
	k := l.Labels
	out := make([]float64, len(rows)*k)
	for i, at := range rows {
		row := out[i*k : (i+1)*k]
		for _, r := range at {
			for y, w := range l.Weights[int(r)*k : (int(r)+1)*k] {
				row[y] += float64(w)
			}
		}
	}
	return out
}

// stepRows updates the weights of the features. diff holds, for each label of each item, its probability given the
// known labels minus its probability without them.
func (l *Learner) stepRows(rows [][]int32, diff []float32) {
	k := l.Labels
	var touched []int32
	var gradient []float32
	for i, at := range rows {
		d := diff[i*k : (i+1)*k]
		if nothingToLearn(d) {
			continue
		}
		for _, r := range at {
			if l.mark[r] == 0 {
				touched = append(touched, r)
				gradient = append(gradient, make([]float32, k)...)
				l.mark[r] = int32(len(touched))
			}
			g := gradient[int(l.mark[r]-1)*k:][:k]
			for y, v := range d {
				g[y] += v
			}
		}
	}
	for n, r := range touched {
		l.mark[r] = 0
		for y := range k {
			l.move(&l.Weights[int(r)*k+y], &l.square[int(r)*k+y], float64(gradient[n*k+y]))
		}
	}
}

// stillness is the largest difference that is ignored.
const stillness = 1e-5

// nothingToLearn reports whether nothing is left to learn from an item.
func nothingToLearn(d []float32) bool {
	for _, v := range d {
		if v > stillness || v < -stillness {
			return false
		}
	}
	return true
}

// move updates a weight by a step of AdaGrad along the gradient, minus the penalty.
func (l *Learner) move(w, square *float32, g float64) {
	g -= l.decay * float64(*w)
	*square += float32(g * g)
	if *square > 0 {
		*w += float32(l.rate * g / (1e-8 + math.Sqrt(float64(*square))))
	}
}

// pairs returns, for each pair of labels, how often the second is expected right after the first.
func (l *Learner) pairs(s chain.Sums) []float64 {
	k := l.Labels
	steps := make([]float64, k*k)
	for i, w := range l.Follow {
		if !l.Barred[i] {
			steps[i] = math.Exp(float64(w))
		}
	}
	out, cell := make([]float64, k*k), make([]float64, k*k)
	for i := 1; i < len(s.Emit)/k; i++ {
		total := 0.0
		for a := range k {
			p := s.Forward[(i-1)*k+a]
			for b := range k {
				v := p * steps[a*k+b] * s.Emit[i*k+b] * s.Backward[i*k+b]
				cell[a*k+b] = v
				total += v
			}
		}
		if total == 0 {
			continue
		}
		for j, v := range cell {
			out[j] += v / total
		}
	}
	return out
}

// Loss returns the negative logarithm, in nats, of the probability of all labelings that agree with an
// example. It is 0 if nothing is known, and +Inf if the model bars all of them.
func Loss(m *chain.Model, e Example) float64 {
	if len(e.Items) == 0 {
		return 0
	}
	s := m.Score(e.Items)
	loss := s.Sums(nil).Log - s.Sums(e.Masks).Log
	if math.IsNaN(loss) || loss > 1e20 {
		return math.Inf(1)
	}
	return max(loss, 0)
}
