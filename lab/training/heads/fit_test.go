package main

import (
	"testing"

	"vigueur/internal/gazette/heads"
)

// caseOf is a place of three lines that differ in how they spell the word; the right one
// spells it best.
func caseOf(right int) hidden {
	c := hidden{right: right}
	for i := range 3 {
		row := make([]float64, len(heads.ObscuredNames()))
		if row[0] = 1; i == right {
			row[0] = 0.2
		}
		c.rows = append(c.rows, row)
	}
	return c
}

// TestFitChoosesTheHead, and none where it was lost.
func TestFitChoosesTheHead(t *testing.T) {
	t.Parallel()
	var cases []hidden
	for i := range 40 {
		cases = append(cases, caseOf(i%4-1)) // one in four has none
	}
	all := judge(fit(cases), cases)
	at := threshold(all, 0.01)
	for i, j := range all {
		if lost := i%4 == 0; lost != j.lost || !lost && (!j.right || j.p < at) || lost && j.p >= at {
			t.Errorf("case %d: %+v, threshold %.3f", i, j, at)
		}
	}
}

// TestThreshold: the least probability with which the goal is met, 1 where it never is.
func TestThreshold(t *testing.T) {
	t.Parallel()
	all := []judged{{p: 0.9, right: true}, {p: 0.8, right: true}, {p: 0.7}, {p: 0.6, right: true}}
	for _, c := range []struct{ goal, want float64 }{{0, 0.8}, {0.25, 0.6}, {1, 0.6}} {
		if got := threshold(all, c.goal); got != c.want {
			t.Errorf("goal %v: %v, want %v", c.goal, got, c.want)
		}
	}
	if got := threshold([]judged{{p: 0.9}}, 0.1); got != 1 {
		t.Errorf("nothing right: %v", got)
	}
}
