package judge

import (
	"slices"
	"testing"
)

// Run 0 is good for a alone, by far; run 1 a little for all. Left out, a is judged
// by what the others chose, so that its own advantage is not counted.
func TestLeftOutIsJudgedByTheChoiceOfTheOthers(t *testing.T) {
	t.Parallel()
	run := func(a, b, c float64) []Judged {
		return []Judged{{"1", "a", Ranking{NDCG10: a}}, {"2", "a", Ranking{NDCG10: a}}, {"3", "b", Ranking{NDCG10: b}}, {"4", "c", Ranking{NDCG10: c}}}
	}
	runs := [][]Judged{run(1, 0.1, 0.1), run(0.3, 0.3, 0.3)}
	if best := Best(runs); best != 0 {
		t.Errorf("over all, run %d is best", best)
	}
	judged, chosen := LeftOut(runs)
	if want := []int{2, 1}; !slices.Equal(chosen, want) {
		t.Errorf("chosen %v, want %v", chosen, want)
	}
	var got []float64
	for _, j := range judged {
		got = append(got, j.NDCG10)
	}
	if want := []float64{0.3, 0.3, 0.1, 0.1}; !slices.Equal(got, want) {
		t.Errorf("left out %v, want %v", got, want)
	}
	if judged, chosen := LeftOut(nil); judged != nil || len(chosen) != 0 {
		t.Errorf("of no run: %v, %v", judged, chosen)
	}
}
