package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

// Of five questions one is not found, one is not read, one stands too low, one is refused
// and one is answered.
func TestEachQuestionIsLostOnce(t *testing.T) {
	t.Parallel()
	made := &table{Set: "made", traces: []trace{
		{group: "a", right: 1, answered: true},
		{group: "b", right: 1, answered: true, found: []int{150}},
		{group: "c", right: 1, answered: true, found: []int{40}, read: []int{12}},
		{group: "d", right: 1, answered: true, found: []int{3}, read: []int{1}},
		{group: "e", right: 2, answered: true, found: []int{0, 9}, read: []int{0, 4}, cited: true, said: true},
	}}
	made.sum()
	var reached, lost []int
	var perfect []float64
	for _, s := range made.Stages {
		reached, lost, perfect = append(reached, s.Reached), append(lost, s.Lost), append(perfect, s.Perfect)
	}
	if want := []int{4, 3, 2, 2, 1, 1}; !slices.Equal(reached, want) {
		t.Errorf("reached %v, want %v", reached, want)
	}
	if want := []int{1, 1, 1, 0, 1, 0}; !slices.Equal(lost, want) {
		t.Errorf("lost %v, want %v", lost, want)
	}
	if want := []float64{1.25, 4.0 / 3, 1.5, 1, 2, 1}; !slices.Equal(perfect, want) {
		t.Errorf("with one stage perfect %v, want %v", perfect, want)
	}
	if made.First != 1 || made.FirstBest != 3 || made.Questions != 5 {
		t.Errorf("first %d, %d at best, of %d", made.First, made.FirstBest, made.Questions)
	}
	// c, d and e have something that was read, and all of it; b too has among what was found.
	if f := made.Figures; math.Abs(f.ReadBest-3.0/5) > 1e-9 || math.Abs(f.AllBest-4.0/5) > 1e-9 || f.Now >= f.ReadBest || f.Now <= 0 {
		t.Errorf("%+v", f)
	}
	var out bytes.Buffer
	if err := made.print(&out); err != nil || !strings.Contains(out.String(), "it is among three") || strings.Count(out.String(), "\n") != 10 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Where no answers are written there are no stages of answers.
func TestStagesOfASearchAlone(t *testing.T) {
	t.Parallel()
	made := &table{traces: []trace{{group: "a", right: 1, found: []int{0}, read: []int{0}}}}
	made.sum()
	if n := len(made.Stages); n != 4 || made.Stages[n-1].Reached != 1 {
		t.Errorf("%+v", made.Stages)
	}
	if got := placesOf(4, func(i int) string { return []string{"a", "a", "b", "c"}[i] }, map[string]bool{"b": true, "c": true}); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("places %v", got)
	}
}
