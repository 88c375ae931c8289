package chain

import (
	"math"
	"slices"
	"testing"
)

// TestRelabelMatchesDecodingWithFixedLabels checks that the best path of a window is that of the whole
// sequence with all other labels fixed, and that gain is the difference of their scores.
func TestRelabelMatchesDecodingWithFixedLabels(t *testing.T) {
	t.Parallel()
	m := forecast(t, false)
	items := weather()
	scored := m.Score(items)
	plain := scored.path(nil)
	if best := scored.Best(nil); !slices.Equal(best, plain.Labels) {
		t.Fatalf("%v alone and %v with probabilities", best, plain.Labels)
	}
	for at := range items {
		other := Mask(1 << (1 - plain.Labels[at]))
		masks := make([]Mask, len(items))
		for i, l := range plain.Labels {
			masks[i] = 1 << l
		}
		from, to := max(0, at-1), min(len(items), at+2)
		for i := from; i < to; i++ {
			masks[i] = 0
		}
		masks[at] = other
		want := scored.path(masks)
		got, gain, ok := scored.Relabel(plain.Labels, Window{from, to, masks[from:to]})
		if !ok || !slices.Equal(got, want.Labels[from:to]) {
			t.Fatalf("item %d: %v, %v; the whole gives %v", at, got, ok, want.Labels)
		}
		if gain > 0 || gain < -50 {
			t.Errorf("item %d: another label gains %v", at, gain)
		}
		back, lost, ok := scored.Relabel(want.Labels, Window{from, to, nil})
		if !ok || !slices.Equal(back, plain.Labels[from:to]) || math.Abs(gain+lost) > 1e-6 {
			t.Errorf("item %d: back again %v, %v and %v", at, back, gain, lost)
		}
	}
}

func TestRelabelRefusesImpossibleMasks(t *testing.T) {
	t.Parallel()
	m := forecast(t, true)
	items := weather()
	scored := m.Score(items)
	labels := make([]int, len(items)) // all rain
	if _, _, ok := scored.Relabel(labels, Window{3, 4, []Mask{2}}); ok {
		t.Error("what is barred is given")
	}
	for _, w := range []Window{{-1, 2, nil}, {2, 2, nil}, {0, len(items) + 1, nil}} {
		if _, _, ok := scored.Relabel(labels, w); ok {
			t.Errorf("window %v is none", w)
		}
	}
}
