package judge

import (
	"math"
	"testing"
)

func TestPooledSharesCountItems(t *testing.T) {
	t.Parallel()
	parts := []Part{{"a", 9, 10}, {"b", 0, 1}, {"c", 45, 50}, {"d", 30, 39}}
	got := Pooled(parts)
	if math.Abs(got.Value-0.84) > 1e-9 {
		t.Errorf("84 of 100 are %v", got.Value)
	}
	if got.Low >= got.Value || got.High <= got.Value || got.High > 1 || got.Low < 0 {
		t.Errorf("the interval of %v is %v to %v", got.Value, got.Low, got.High)
	}
	if again := Pooled(parts); again != got {
		t.Errorf("%v and %v by the same draws", got, again)
	}
	if got := Pooled(nil); got != (Figure{}) {
		t.Errorf("of nothing: %v", got)
	}
	if got := Pooled([]Part{{"a", 0, 0}}); got.Value != 0 || math.IsNaN(got.High) {
		t.Errorf("of no items: %v", got)
	}
}

func TestPairedDifferencesKnowWhatIsNoise(t *testing.T) {
	t.Parallel()
	var before, better, mixed []Part
	for i := range 30 {
		name := string(rune('A' + i))
		before = append(before, Part{name, 5, 10})
		better = append(better, Part{name, 6, 10})
		mixed = append(mixed, Part{name, 5 + 2*float64(i%2) - 1, 10})
	}
	better = append(better, Part{"only here", 0, 10})
	got, common := PooledDifference(before, better)
	if common != 30 || math.Abs(got.Value-0.1) > 1e-9 || got.Low < 0.09 {
		t.Errorf("one in ten more in each of %d groups: %v", common, got)
	}
	if got, _ := PooledDifference(before, mixed); got.Low >= 0 || got.High <= 0 {
		t.Errorf("as often more as less: %v", got)
	}
}
