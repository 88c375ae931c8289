package main

import (
	"math"
	"path/filepath"
	"testing"
)

func TestFitSeparates(t *testing.T) {
	t.Parallel()
	var all []example
	for range 20 {
		all = append(all, example{features: []string{"order", "both"}, order: true, country: "a", gazette: true, weight: 1}, example{features: []string{"note", "both"}, country: "b", weight: 1})
	}
	m := fit(all)
	if yes, no := m.Sum([]string{"order", "both"}), m.Sum([]string{"note", "both"}); yes < 1 || no > -1 {
		t.Errorf("sums %.2f and %.2f", yes, no)
	}
	told := []judged{{all[0], -3}, {all[0], 2}, {all[1], 5}}
	if got := threshold(told); got != -3 {
		t.Errorf("threshold %v, want the least sum of an order", got)
	}
	path := filepath.Join(t.TempDir(), "deep", "m.json")
	if err := write(path, m, math.NaN()); err != nil {
		t.Fatal(err)
	}
	if err := write(path, nil, 1.5); err != nil {
		t.Fatal(err)
	}
	balance(all)
	if all[0].weight != 1 {
		t.Errorf("few passages weigh %v each", all[0].weight)
	}
}
