package main

import (
	"math"
	"testing"

	"vigueur/internal/segment"
)

// texts are n texts with a witness, of which some are wrong.
func texts(n, wrong int, kinds ...segment.WitnessKind) []text {
	var out []text
	for i := range n {
		t := text{source: "x", weight: 1, data: 3, wrong: i < wrong}
		if t.wrong {
			t.faults = 1
		}
		for _, k := range kinds {
			t.witnesses = append(t.witnesses, segment.Witness{Kind: k, Value: 1})
		}
		out = append(out, t)
	}
	return out
}

func TestWhatTellsOfFaultsIsWeighed(t *testing.T) {
	t.Parallel()
	all := texts(200, 4)
	all = append(all, texts(40, 38, segment.GapIn)...)
	all = append(all, texts(60, 0, segment.LateVisa)...)
	j := fit(segment.Judgment{}, all)
	if j.Weights[segment.LateVisa] != 0 {
		t.Errorf("a sign of texts that are right weighs %v", j.Weights[segment.LateVisa])
	}
	gap := []segment.Witness{{Kind: segment.GapIn, Value: 1}}
	if p, q := j.Wrong(nil), j.Wrong(gap); p > 0.1 || q < 0.7 {
		t.Errorf("without a sign %v, with one %v", p, q)
	}
}

func TestTheThresholdKeepsTheGoal(t *testing.T) {
	t.Parallel()
	var all []judged
	for i, x := range texts(100, 0) {
		all = append(all, judged{x, float64(i) / 1000})
	}
	for i, x := range texts(20, 20) {
		all = append(all, judged{x, 0.3 + float64(i)/100})
	}
	// Three of 309 data are under one in a hundred, four of 312 are not.
	if at := threshold(all, 0.01); at < 0.32 || at > 0.33 {
		t.Errorf("the threshold is %v", at)
	}
	if at := threshold(nil, 0.01); at != 0 {
		t.Errorf("of no texts: %v", at)
	}
}

func TestWhatWasNeverSeenIsDoubtedAlone(t *testing.T) {
	t.Parallel()
	j := segment.Judgment{Weights: map[segment.WitnessKind]float64{segment.GapIn: 0.1}, Bias: -3, Threshold: 0.25}
	unseen(j, texts(3, 0, segment.GapIn))
	if j.Weights[segment.GapIn] != 0.1 {
		t.Error("what was seen is weighed anew")
	}
	if p := j.Wrong([]segment.Witness{{Kind: segment.RubricInside, Value: 1}}); p < j.Threshold || math.IsNaN(p) {
		t.Errorf("%v", p)
	}
}
