package chain

import (
	"math"
	"testing"
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
		mean.Add(&l.Model)
		all[epoch] = append(all[epoch], l.weights...)
	}
	m := mean.Model()
	for i, w := range m.weights {
		if want := (all[0][i] + all[1][i] + all[2][i]) / 3; math.Abs(float64(w-want)) > 1e-5 {
			t.Errorf("weight %d is %v and not %v", i, w, want)
		}
		if l.weights[i] != all[2][i] {
			t.Errorf("weight %d of what was added is %v and not %v", i, l.weights[i], all[2][i])
		}
	}
	for _, e := range examples {
		for i, label := range m.Label(e.Items, nil).Labels {
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
	wet, dry := Hash("umbrella"), Hash("hat")
	of := func(f uint32, weight float32) *Model {
		return &Model{labels: 2, index: map[uint32]int32{f: 0}, weights: []float32{weight, -weight},
			follow: []float32{weight, 0, 0, 0}, first: []float32{0, weight}, last: make([]float32, 2), barred: make([]bool, 4)}
	}
	m := MeanOf(of(wet, 2), of(dry, 4))
	if m.Features() != 2 || m.row(m.index[wet])[0] != 1 || m.row(m.index[dry])[1] != -2 || m.follow[0] != 3 || m.first[1] != 3 {
		t.Errorf("%d features, umbrella %v, hat %v, follow %v, first %v", m.Features(), m.row(m.index[wet]), m.row(m.index[dry]), m.follow, m.first)
	}
	if same := MeanOf(of(wet, 2)); same.row(same.index[wet])[0] != 2 {
		t.Error("the mean of one model is another")
	}
}

// TestLoss compares the loss with the probability of a path.
func TestLoss(t *testing.T) {
	t.Parallel()
	m := taught(t, weather(), nil)
	e := weather()[0]
	p := m.Label(e.Items, nil)
	if got := m.Loss(e); math.Abs(got+p.Log) > 1e-6 {
		t.Errorf("a loss of %v of a path of probability e^%v", got, p.Log)
	}
	if got := m.Loss(Example{Items: e.Items, Masks: make([]Mask, len(e.Items))}); got > 1e-9 {
		t.Errorf("a loss of %v where nothing is known", got)
	}
	if got := m.Loss(Example{}); got != 0 {
		t.Errorf("a loss of %v of nothing", got)
	}
	barred := taught(t, weather()[:1], func(a, b int) bool { return a == 0 && b == 1 })
	if got := barred.Loss(Example{Items: e.Items[:2], Masks: []Mask{1 << 0, 1 << 1}}); !math.IsInf(got, 1) {
		t.Errorf("a loss of %v of what is barred", got)
	}
}
