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
	for pos := range items {
		other := Mask(1 << (1 - plain.Labels[pos]))
		masks := make([]Mask, len(items))
		for i, l := range plain.Labels {
			masks[i] = 1 << l
		}
		start, end := max(0, pos-1), min(len(items), pos+2)
		for i := start; i < end; i++ {
			masks[i] = 0
		}
		masks[pos] = other
		want := scored.path(masks)
		got, gain, ok := scored.Relabel(plain.Labels, Window{start, end, masks[start:end]})
		if !ok || !slices.Equal(got, want.Labels[start:end]) {
			t.Fatalf("item %d: %v, %v; the whole gives %v", pos, got, ok, want.Labels)
		}
		if gain > 0 || gain < -50 {
			t.Errorf("item %d: another label gains %v", pos, gain)
		}
		back, lost, ok := scored.Relabel(want.Labels, Window{start, end, nil})
		if !ok || !slices.Equal(back, plain.Labels[start:end]) || math.Abs(gain+lost) > 1e-6 {
			t.Errorf("item %d: back again %v, %v and %v", pos, back, gain, lost)
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
