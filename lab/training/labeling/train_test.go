package labeling

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"vigueur/internal/gazette/chain"
)

// drawn returns a model of three labels and a few features with random weights. If barred is set, label 2
// never comes right after label 0.
func drawn(r *rand.Rand, barred bool) chain.Parts {
	const k, features = 3, 4
	m := chain.Parts{Labels: k, Index: map[uint32]int32{}, Weights: make([]float32, features*k), Follow: make([]float32, k*k),
		First: make([]float32, k), Last: make([]float32, k), Barred: make([]bool, k*k)}
	for f := range uint32(features) {
		m.Index[f] = int32(f)
	}
	for _, part := range [][]float32{m.Weights, m.Follow, m.First, m.Last} {
		for i := range part {
			part[i] = float32(r.NormFloat64())
		}
	}
	m.Barred[0*k+2] = barred
	return m
}

// A written model has the features with the largest weights, each within half a unit of its original weight.
func TestWriteKeepsTheHeaviestFeatures(t *testing.T) {
	t.Parallel()
	m := drawn(rand.New(rand.NewPCG(5, 5)), true)
	m.Weights[3] = -9 // the largest in absolute value
	var b bytes.Buffer
	if err := Write(&b, chain.Of(m)); err != nil {
		t.Fatal(err)
	}
	model, err := chain.Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	read := model.Parts()
	for name, part := range map[string][2][]float32{"features": {m.Weights, read.Weights}, "pairs": {m.Follow, read.Follow}, "first": {m.First, read.First}, "last": {m.Last, read.Last}} {
		t.Run(name, func(t *testing.T) {
			for i, w := range part[0] {
				if math.Abs(float64(w-part[1][i])) > 9.0/127/2+1e-6 {
					t.Errorf("%s: weight %d was %v and is %v", name, i, w, part[1][i])
				}
			}
		})
	}
	if !slices.Equal(read.Barred, m.Barred) {
		t.Errorf("barred %v", read.Barred)
	}
	if got := heaviest(m, 1); !slices.Equal(got, []uint32{1}) {
		t.Errorf("the heaviest feature is %v", got)
	}
}

// Rare features are left out, impossible labels teach nothing, and a copy trains independently.
func TestLearning(t *testing.T) {
	t.Parallel()
	examples := append(weather(), Example{Items: []chain.Item{{chain.Hash("once")}}, Masks: []chain.Mask{1}})
	l := Trainer{Labels: 2, Rate: 0.3, Least: 2}.Begin(examples)
	if _, kept := l.Index[chain.Hash("once")]; kept || len(l.Index) != 3 {
		t.Errorf("%d features, the rare one among them: %v", len(l.Index), kept)
	}
	l.Teach(examples, 0)
	was := slices.Clone(l.Weights)
	c := l.Clone()
	c.Teach(examples, 1)
	if !slices.Equal(l.Weights, was) || slices.Equal(c.Weights, was) {
		t.Error("a copy teaches what it was copied from")
	}
	l.Teach(examples, 1)
	if !slices.Equal(l.Weights, c.Weights) || !slices.Equal(l.Follow, c.Follow) || !slices.Equal(l.First, c.First) || !slices.Equal(l.Last, c.Last) {
		t.Error("a copy does not go on as what it was copied from")
	}
	none := Trainer{Labels: 2, Rate: 0.3, Barred: func(a, b int) bool { return a == 0 && b == 1 }}
	impossible := []Example{{Items: []chain.Item{{1}, {1}}, Masks: []chain.Mask{1, 2}}, {}}
	n := none.Begin(impossible)
	if loss := n.Teach(impossible, 0); loss != 0 || slices.ContainsFunc(n.Weights, func(w float32) bool { return w != 0 }) {
		t.Errorf("what cannot be is learned: loss %v, weights %v", loss, n.Weights)
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
		e := []Example{{Items: []chain.Item{{7}}, Masks: []chain.Mask{1}, Weight: weight}}
		l := Trainer{Labels: 2, Rate: 0.1}.Begin(e)
		l.Teach(e, 0)
		return math.Sqrt(float64(l.square[0])) // the length of the gradient
	}
	if one, half, none := moved(1), moved(0.5), moved(0); math.Abs(half-one/2) > 1e-6 || math.Abs(none-one) > 1e-6 {
		t.Errorf("%v for 1, %v for a half, %v for none", one, half, none)
	}
}
