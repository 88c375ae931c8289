package judge

import (
	"maps"
	"slices"
)

// depthWorth is what R@100 counts beside nDCG@10 when one of several runs is
// chosen.
const depthWorth = 0.3

func (j Judged) worth() float64 { return j.NDCG10 + depthWorth*j.R100 }

// Best is the place of the run that is best over all groups; of equal ones the
// first. All runs are over the same questions.
func Best(runs [][]Judged) int { return bestBut(worths(runs), "") }

// LeftOut tells what a choice among runs is worth on questions that it was not
// made on: each group's questions are judged by the run that is best over the
// other groups. It gives these judgements, and how often each run was chosen.
func LeftOut(runs [][]Judged) (judged []Judged, chosen []int) {
	chosen = make([]int, len(runs))
	if len(runs) == 0 {
		return nil, chosen
	}
	of := worths(runs)
	best := make(map[string]int)
	for name := range of[0] {
		best[name] = bestBut(of, name)
		chosen[best[name]]++
	}
	for i, j := range runs[0] {
		judged = append(judged, runs[best[j.Group]][i])
	}
	return judged, chosen
}

// worths returns the mean of each group in each run.
func worths(runs [][]Judged) []map[string]float64 {
	out := make([]map[string]float64, len(runs))
	for i, run := range runs {
		sum, n := make(map[string]float64), make(map[string]float64)
		for _, j := range run {
			sum[j.Group] += j.worth()
			n[j.Group]++
		}
		for name := range sum {
			sum[name] /= n[name]
		}
		out[i] = sum
	}
	return out
}

func bestBut(of []map[string]float64, but string) (best int) {
	most := -1.0
	for i, run := range of {
		sum := 0.0
		for _, name := range slices.Sorted(maps.Keys(run)) { // in order: sums of floats depend on it
			if name != but || but == "" {
				sum += run[name]
			}
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}
