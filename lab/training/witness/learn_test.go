package main

import (
	"math"
	"slices"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/judgment"
)

// texts are n texts with a witness, of which some are wrong.
func texts(n, wrong int, kinds ...gazette.SignalKind) []text {
	var out []text
	for i := range n {
		t := text{source: "x", weight: 1, data: 3, wrong: i < wrong}
		if t.wrong {
			t.faults = 1
		}
		for _, k := range kinds {
			t.witnesses = append(t.witnesses, gazette.Signal{Kind: k, Value: 1})
		}
		out = append(out, t)
	}
	return out
}

func TestWhatTellsOfFaultsIsWeighed(t *testing.T) {
	t.Parallel()
	all := texts(200, 4)
	all = append(all, texts(40, 38, gazette.GapIn)...)
	all = append(all, texts(60, 0, gazette.PassedOver)...)
	j := fit(judgment.Judgment{}, all)
	if j.Weights[gazette.PassedOver] != 0 {
		t.Errorf("a sign of texts that are right weighs %v", j.Weights[gazette.PassedOver])
	}
	gap := []gazette.Signal{{Kind: gazette.GapIn, Value: 1}}
	if p, q := j.Wrong(nil), j.Wrong(gap); p > 0.1 || q < 0.7 {
		t.Errorf("without a sign %v, with one %v", p, q)
	}
}

func TestTheThresholdKeepsTheGoal(t *testing.T) {
	t.Parallel()
	// Of four hundred texts none is wrong, of fifty each one in ten, two in ten …
	var all []judged
	for tenth := range 6 {
		for i, x := range texts([]int{400, 50, 50, 50, 50, 50}[tenth], 0) {
			x.wrong = i%10 < tenth
			if x.wrong {
				x.faults = 1
			}
			all = append(all, judged{x, 0.1*float64(tenth) + float64(i)*1e-5})
		}
	}
	told := func(at float64) (data, faults int) {
		for _, x := range all {
			if x.p < at {
				data, faults = data+x.data, faults+x.faults
			}
		}
		return data, faults
	}
	at := threshold(all, 0.02)
	if data, faults := told(at); data < 1200 || float64(faults) > 0.03*float64(data) {
		t.Errorf("the threshold is %v, with %d of %d data wrong below it", at, faults, data)
	}
	if greater := threshold(all, 0.1); greater <= at {
		t.Errorf("with a wider goal it is %v and not above %v", greater, at)
	}
	if at := threshold(nil, 0.01); at != 0 {
		t.Errorf("of no texts: %v", at)
	}
}

// TestDoubtingMoreWhereItDoesNotHelp: texts without any sign are wrong more often than
// the goal allows, and those with a sign of nothing as often.
func TestDoubtingMoreWhereItDoesNotHelp(t *testing.T) {
	t.Parallel()
	var all []judged
	for i, x := range texts(200, 0) {
		x.wrong = i%10 == 5
		if x.wrong {
			x.faults = 1
		}
		all = append(all, judged{x, 0.05 + float64(i)*1e-4})
	}
	for i, x := range texts(20, 20) {
		all = append(all, judged{x, 0.5 + float64(i)*1e-4})
	}
	if at := threshold(all, 0.01); at < 0.065 || at > 0.5 {
		t.Errorf("the threshold is %v", at)
	}
}

func TestWhatWasNeverSeenIsDoubtedAlone(t *testing.T) {
	t.Parallel()
	j := judgment.Judgment{Weights: map[gazette.SignalKind]float64{gazette.GapIn: 0.1}, Bias: -3, Threshold: 0.25}
	unseen(j, texts(3, 0, gazette.GapIn))
	if j.Weights[gazette.GapIn] != 0.1 {
		t.Error("what was seen is weighed anew")
	}
	if p := j.Wrong([]gazette.Signal{{Kind: gazette.CountAgain, Value: 1}}); p < j.Threshold || math.IsNaN(p) {
		t.Errorf("%v", p)
	}
}

// TestTheThresholdIsSteady: one file more or less moves it little, and the same files give
// the same.
func TestTheThresholdIsSteady(t *testing.T) {
	t.Parallel()
	var all []judged
	for file := range 40 {
		for i, x := range texts(6, 0) {
			x.file = string(rune('A' + file))
			told := float64((file*7+i*11)%60) / 100
			x.wrong = told > 0.3 && (file+i)%3 == 0 || file == 20 && i == 0
			if x.wrong {
				x.faults = 1
			}
			all = append(all, judged{x, told})
		}
	}
	at := steady(all, 0.02)
	if at < 0.2 || at > 0.5 || at != steady(all, 0.02) {
		t.Errorf("the threshold is %v, and then %v", at, steady(all, 0.02))
	}
	for _, without := range []int{0, 10, 20, 30} {
		less := slices.DeleteFunc(slices.Clone(all), func(x judged) bool { return x.file == string(rune('A'+without)) })
		if other := steady(less, 0.02); math.Abs(other-at) > 0.1 {
			t.Errorf("without file %d it is %v and not %v", without, other, at)
		}
	}
	if got := steady(nil, 0.01); got != 0 {
		t.Errorf("of no texts: %v", got)
	}
}
