package chain

import (
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
			if pos, ok := m.index[f]; ok {
				score += float64(m.weights[int(pos)*k+y])
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

// path returns the most probable path, with the probabilities of its labels and the logarithm of its own probability.
func (s Scored) path(masks []Mask) scoredPath {
	l := s.latticeUnder(masks)
	labels, score := l.bestPath()
	sums := s.Sums(masks)
	return scoredPath{Path{labels, sums.Probs}, score - sums.Log}
}

type scoredPath struct {
	Path
	Log float64
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
					for range r.IntN(4) { // some items have no feature, some have a feature that the model lacks
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
				got := m.Score(items).path(c.masks)
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
		labels := m.Score(items).Best(nil)
		for start := range items {
			for end := start + 1; end <= len(items); end++ {
				masks := make([]Mask, end-start)
				masks[0] = 0b111 &^ (1 << labels[start]) // any label but the present one
				var want []int
				top := math.Inf(-1)
				each(end-start, m.labels, func(path []int) {
					all := slices.Concat(labels[:start], path, labels[end:])
					if masks[0]&(1<<path[0]) == 0 {
						return
					}
					if score, allowed := weighed(m, items, nil, all); allowed && score > top {
						top, want = score, slices.Clone(path)
					}
				})
				got, gain, ok := m.Score(items).Relabel(labels, Window{start, end, masks})
				before, _ := weighed(m, items, nil, labels)
				if ok != (want != nil) || ok && (!slices.Equal(got, want) || math.Abs(gain-(top-before)) > 1e-6) {
					t.Fatalf("[%d,%d) of %v: %v, %v, %v, want %v, %v", start, end, labels, got, gain, ok, want, top-before)
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
	path := m.Score(items).path(nil)
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
