package chain

import (
	"math"
	"testing"
)

// TestTheMeanOfModels: it weighs what they weigh between them, and takes nothing from them.
func TestTheMeanOfModels(t *testing.T) {
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
