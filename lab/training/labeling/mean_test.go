package labeling

import (
	"math"
	"testing"

	"vigueur/internal/gazette/chain"
)

// TestMean checks that the weights are the mean, and that the models do not change.
func TestMean(t *testing.T) {
	t.Parallel()
	examples := weather()
	l := Trainer{Labels: 2, Rate: 0.3, Decay: 1e-4}.Begin(examples)
	var mean Mean
	if mean.Model() != nil {
		t.Error("a mean of nothing")
	}
	var all [3][]float32
	for epoch := range all {
		l.Teach(examples, epoch)
		mean.Add(l.Model())
		all[epoch] = append(all[epoch], l.Weights...)
	}
	model := mean.Model()
	m := model.Parts()
	for i, w := range m.Weights {
		if want := (all[0][i] + all[1][i] + all[2][i]) / 3; math.Abs(float64(w-want)) > 1e-5 {
			t.Errorf("weight %d is %v and not %v", i, w, want)
		}
		if l.Weights[i] != all[2][i] {
			t.Errorf("weight %d of what was added is %v and not %v", i, l.Weights[i], all[2][i])
		}
	}
	for _, e := range examples {
		for i, label := range model.Score(e.Items).Best(nil) {
			if e.Masks[i] != 1<<label {
				t.Fatalf("item %d is %d", i, label)
			}
		}
	}
}

// TestMeanOfDifferentFeatures checks that a feature that only one of two models has gets half its
// weight.
func TestMeanOfDifferentFeatures(t *testing.T) {
	t.Parallel()
	wet, dry := chain.Hash("umbrella"), chain.Hash("hat")
	of := func(f uint32, weight float32) *chain.Model {
		return chain.Of(chain.Parts{Labels: 2, Index: map[uint32]int32{f: 0}, Weights: []float32{weight, -weight},
			Follow: []float32{weight, 0, 0, 0}, First: []float32{0, weight}, Last: make([]float32, 2), Barred: make([]bool, 4)})
	}
	m := MeanOf(of(wet, 2), of(dry, 4)).Parts()
	if len(m.Index) != 2 || row(m, m.Index[wet])[0] != 1 || row(m, m.Index[dry])[1] != -2 || m.Follow[0] != 3 || m.First[1] != 3 {
		t.Errorf("%d features, umbrella %v, hat %v, follow %v, first %v", len(m.Index), row(m, m.Index[wet]), row(m, m.Index[dry]), m.Follow, m.First)
	}
	if same := MeanOf(of(wet, 2)).Parts(); row(same, same.Index[wet])[0] != 2 {
		t.Error("the mean of one model is another")
	}
}

// TestLoss compares the loss with the probability of a path.
func TestLoss(t *testing.T) {
	t.Parallel()
	m := taught(t, weather(), nil)
	e := weather()[0]
	p := m.Parts()
	path := m.Score(e.Items).Best(nil)
	score := float64(p.First[path[0]] + p.Last[path[len(path)-1]])
	for i, y := range path {
		score += float64(row(p, p.Index[e.Items[i][0]])[y])
		if i > 0 {
			score += float64(p.Follow[path[i-1]*p.Labels+y])
		}
	}
	if got, want := Loss(m, e), m.Score(e.Items).Sums(nil).Log-score; math.Abs(got-want) > 1e-5 {
		t.Errorf("a loss of %v, want %v", got, want)
	}
	if got := Loss(m, Example{Items: e.Items, Masks: make([]chain.Mask, len(e.Items))}); got > 1e-9 {
		t.Errorf("a loss of %v where nothing is known", got)
	}
	if got := Loss(m, Example{}); got != 0 {
		t.Errorf("a loss of %v of nothing", got)
	}
	barred := taught(t, weather()[:1], func(a, b int) bool { return a == 0 && b == 1 })
	if got := Loss(barred, Example{Items: e.Items[:2], Masks: []chain.Mask{1 << 0, 1 << 1}}); !math.IsInf(got, 1) {
		t.Errorf("a loss of %v of what is barred", got)
	}
}
