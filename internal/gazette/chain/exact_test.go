package chain

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn returns a model of three labels and a few features with random weights. If barred is set, label 2
// never comes right after label 0.
func drawn(r *rand.Rand, barred bool) *Model {
	const k, features = 3, 4
	m := &Model{labels: k, index: map[uint32]int32{}, weights: make([]float32, features*k), follow: make([]float32, k*k),
		first: make([]float32, k), last: make([]float32, k), barred: make([]bool, k*k)}
	for f := range uint32(features) {
		m.index[f] = int32(f)
	}
	for _, part := range [][]float32{m.weights, m.follow, m.first, m.last} {
		for i := range part {
			part[i] = float32(r.NormFloat64())
		}
	}
	m.barred[0*k+2] = barred
	return m
}

// weighed returns the score of a path by the definition of a chain, and whether the path is allowed.
func weighed(m *Model, items []Item, masks []Mask, path []int) (score float64, allowed bool) {
	k := m.labels
	score = float64(m.first[path[0]]) + float64(m.last[path[len(path)-1]])
	for i, y := range path {
		if i < len(masks) && masks[i] != 0 && masks[i]&(1<<y) == 0 {
			return 0, false
		}
		for _, f := range items[i] {
			if at, ok := m.index[f]; ok {
				score += float64(m.weights[int(at)*k+y])
			}
		}
		if i > 0 {
			if m.barred[path[i-1]*k+y] {
				return 0, false
			}
			score += float64(m.follow[path[i-1]*k+y])
		}
	}
	return score, true
}

// each calls call with every path of n labels out of k.
func each(n, k int, call func(path []int)) {
	path := make([]int, n)
	for {
		call(path)
		i := 0
		for ; i < n; i++ {
			if path[i]++; path[i] < k {
				break
			}
			path[i] = 0
		}
		if i == n {
			return
		}
	}
}

// Label must agree with an enumeration of all paths on the best one, its probability, and the probability of
// each label of each item.
func TestLabelMatchesEnumeration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		n      int
		barred bool
		masks  []Mask
	}{
		{"one item", 1, false, nil},
		{"all labels allowed", 4, false, nil},
		{"a barred pair", 5, true, nil},
		{"masks", 4, false, []Mask{0b011, 0, 0b100, 0b111}},
		{"masks and a barred pair", 4, true, []Mask{0b001, 0, 0, 0b110}},
		{"a mask of labels that there are not", 3, false, []Mask{0, 1 << 9, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(c.n)))
			for range 20 {
				m := drawn(r, c.barred)
				items := make([]Item, c.n)
				for i := range items {
					for range r.IntN(4) { // some have no feature, some one that the model lacks
						items[i] = append(items[i], r.Uint32N(5))
					}
				}
				masks := slices.Clone(c.masks)
				for i := range masks {
					masks[i] &= 1<<m.labels - 1
				}
				total, top := 0.0, math.Inf(-1)
				var best []int
				sums := make([]float64, c.n*m.labels)
				each(c.n, m.labels, func(path []int) {
					score, allowed := weighed(m, items, masks, path)
					if !allowed {
						return
					}
					if score > top {
						top, best = score, slices.Clone(path)
					}
					total += math.Exp(score)
					for i, y := range path {
						sums[i*m.labels+y] += math.Exp(score)
					}
				})
				got := m.Label(items, c.masks)
				if !slices.Equal(got.Labels, best) || math.Abs(got.Log-(top-math.Log(total))) > 1e-6 {
					t.Fatalf("%v at %v, want %v at %v", got.Labels, got.Log, best, top-math.Log(total))
				}
				if alone := m.Score(items).Best(c.masks); !slices.Equal(alone, best) {
					t.Fatalf("alone %v, want %v", alone, best)
				}
				probs := m.Score(items).Probs(c.masks)
				for i := range c.n {
					for y := range m.labels {
						want := sums[i*m.labels+y] / total
						if math.Abs(got.Prob(i, y)-want) > 1e-5 || math.Abs(float64(probs[i*m.labels+y])-want) > 1e-5 {
							t.Fatalf("item %d has label %d by %v, want %v", i, y, got.Prob(i, y), want)
						}
					}
				}
			}
		})
	}
}

// Relabel must agree with an enumeration of all paths that keep the labels around the window.
func TestRelabelMatchesEnumeration(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2))
	for n := range 40 {
		m := drawn(r, n%2 == 0)
		items := []Item{{0, 1}, {2}, {3, 9}, {}, {1}}
		labels := m.Label(items, nil).Labels
		for from := range items {
			for to := from + 1; to <= len(items); to++ {
				masks := make([]Mask, to-from)
				masks[0] = 0b111 &^ (1 << labels[from]) // another one than it has
				var want []int
				top := math.Inf(-1)
				each(to-from, m.labels, func(path []int) {
					all := slices.Concat(labels[:from], path, labels[to:])
					if masks[0]&(1<<path[0]) == 0 {
						return
					}
					if score, allowed := weighed(m, items, nil, all); allowed && score > top {
						top, want = score, slices.Clone(path)
					}
				})
				got, gain, ok := m.Score(items).Relabel(labels, Window{from, to, masks})
				before, _ := weighed(m, items, nil, labels)
				if ok != (want != nil) || ok && (!slices.Equal(got, want) || math.Abs(gain-(top-before)) > 1e-6) {
					t.Fatalf("[%d,%d) of %v: %v, %v, %v, want %v, %v", from, to, labels, got, gain, ok, want, top-before)
				}
			}
		}
	}
}

func TestWindowsOfOtherSequences(t *testing.T) {
	t.Parallel()
	scored := drawn(rand.New(rand.NewPCG(3, 3)), false).Score([]Item{{0}, {1}, {2}})
	for name, c := range map[string]struct {
		labels []int
		w      Window
	}{
		"before its beginning": {[]int{0, 0, 0}, Window{-1, 2, nil}},
		"empty":                {[]int{0, 0, 0}, Window{1, 1, nil}},
		"turned around":        {[]int{0, 0, 0}, Window{2, 1, nil}},
		"behind its end":       {[]int{0, 0, 0}, Window{1, 4, nil}},
		"of a shorter path":    {[]int{0, 0}, Window{0, 1, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, _, ok := scored.Relabel(c.labels, c.w); ok {
				t.Error("it is labeled")
			}
		})
	}
	if _, _, ok := scored.Relabel([]int{0, 1, 2}, Window{0, 3, nil}); !ok {
		t.Error("the whole is none")
	}
}

// Probabilities stay correct if scores are far from zero (differences of a hundred between two labels of an
// item), and for sequences as long as a long gazette.
func TestNothingOverflows(t *testing.T) {
	t.Parallel()
	m := drawn(rand.New(rand.NewPCG(4, 4)), true)
	for i := range m.weights {
		m.weights[i] *= 50
	}
	items := make([]Item, 20_000)
	for i := range items {
		items[i] = Item{uint32(i % 4), uint32(i % 3)}
	}
	path := m.Label(items, nil)
	for i := range items {
		sum := 0.0
		for y := range m.labels {
			sum += path.Prob(i, y)
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Fatalf("item %d: %v", i, sum)
		}
	}
	if math.IsNaN(path.Log) || math.IsInf(path.Log, 0) || path.Log > 1e-3 {
		t.Errorf("the path's log is %v", path.Log)
	}
}

// A written model has the features with the largest weights, each within half a unit of its original weight.
func TestWriteKeepsTheHeaviestFeatures(t *testing.T) {
	t.Parallel()
	m := drawn(rand.New(rand.NewPCG(5, 5)), true)
	m.weights[3] = -9 // the largest in absolute value
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string][2][]float32{"features": {m.weights, read.weights}, "pairs": {m.follow, read.follow}, "first": {m.first, read.first}, "last": {m.last, read.last}} {
		t.Run(name, func(t *testing.T) {
			for i, w := range part[0] {
				if math.Abs(float64(w-part[1][i])) > 9.0/127/2+1e-6 {
					t.Errorf("%s: weight %d was %v and is %v", name, i, w, part[1][i])
				}
			}
		})
	}
	if !slices.Equal(read.barred, m.barred) {
		t.Errorf("barred %v", read.barred)
	}
	if got := m.heaviest(1); !slices.Equal(got, []uint32{1}) {
		t.Errorf("the heaviest feature is %v", got)
	}
	for name, change := range map[string]func(b []byte) []byte{
		"another format": func(b []byte) []byte { b[3] = '2'; return b },
		"no labels":      func(b []byte) []byte { b[4] = 0; return b },
		"too many":       func(b []byte) []byte { b[4] = MostLabels + 1; return b },
		"nothing":        func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read(change(slices.Clone(b.Bytes()))); !errors.Is(err, ErrModel) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Hash depends on the parts of a feature and on where they end.
func TestHashDependsOnParts(t *testing.T) {
	t.Parallel()
	seen := map[uint32][]string{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"ab", ""}, {"é"}, {"e"}} {
		if other, taken := seen[Hash(parts...)]; taken {
			t.Errorf("%q and %q are one", other, parts)
		}
		seen[Hash(parts...)] = parts
	}
}

// Rare features are left out, impossible labels teach nothing, and a copy trains independently.
func TestLearning(t *testing.T) {
	t.Parallel()
	examples := append(weather(), Example{Items: []Item{{Hash("once")}}, Masks: []Mask{1}})
	l := Trainer{Labels: 2, Rate: 0.3, Least: 2}.Begin(examples)
	if _, kept := l.index[Hash("once")]; kept || l.Features() != 3 {
		t.Errorf("%d features, the rare one among them: %v", l.Features(), kept)
	}
	l.Teach(examples, 0)
	was := slices.Clone(l.weights)
	c := l.Clone()
	c.Teach(examples, 1)
	if !slices.Equal(l.weights, was) || slices.Equal(c.weights, was) {
		t.Error("a copy teaches what it was copied from")
	}
	l.Teach(examples, 1)
	if !slices.Equal(l.weights, c.weights) || !slices.Equal(l.follow, c.follow) || !slices.Equal(l.first, c.first) || !slices.Equal(l.last, c.last) {
		t.Error("a copy does not go on as what it was copied from")
	}
	none := Trainer{Labels: 2, Rate: 0.3, Barred: func(a, b int) bool { return a == 0 && b == 1 }}
	impossible := []Example{{Items: []Item{{1}, {1}}, Masks: []Mask{1, 2}}, {}}
	n := none.Begin(impossible)
	if loss := n.Teach(impossible, 0); loss != 0 || slices.ContainsFunc(n.weights, func(w float32) bool { return w != 0 }) {
		t.Errorf("what cannot be is learned: loss %v, weights %v", loss, n.weights)
	}
	if loss := n.Teach(nil, 0); loss != 0 {
		t.Errorf("the loss of nothing is %v", loss)
	}
	for epoch := range 3 {
		got := order(9, epoch)
		if slices.Sort(got); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("epoch %d visits %v", epoch, got)
		}
	}
}

// An example counts in proportion to its weight.
func TestWeightOfAnExample(t *testing.T) {
	t.Parallel()
	moved := func(weight float64) float64 {
		e := []Example{{Items: []Item{{7}}, Masks: []Mask{1}, Weight: weight}}
		l := Trainer{Labels: 2, Rate: 0.1}.Begin(e)
		l.Teach(e, 0)
		return math.Sqrt(float64(l.square[0])) // the length of the gradient
	}
	if one, half, none := moved(1), moved(0.5), moved(0); math.Abs(half-one/2) > 1e-6 || math.Abs(none-one) > 1e-6 {
		t.Errorf("%v for 1, %v for a half, %v for none", one, half, none)
	}
}
