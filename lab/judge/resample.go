package judge

import (
	"math/rand/v2"
	"slices"
)

// resamples is how often groups are drawn anew for an interval.
const resamples = 2000

// Judged is a question's ranking with the group it belongs to: questions of one
// group ask for the same thing, and count together as much as another group.
type Judged struct {
	ID    string `json:"id"`
	Group string `json:"group"`
	Ranking
}

// Figure is a mean over groups with the interval in which 95 of 100 resamples of
// the groups lie.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Summary returns each figure of Names over all groups: averaged inside a group,
// then over the groups.
func Summary(all []Judged) []Figure {
	groups := grouped(all)
	rows := make([][5]float64, len(groups))
	for i, g := range groups {
		rows[i] = g.mean
	}
	return figures(rows)
}

// Difference compares two runs over the same questions, group by group: how much
// greater each figure is in the second. Questions that are not in both are left
// out; common says how many groups are in both.
func Difference(before, after []Judged) (differences []Figure, common int) {
	known := make(map[string]bool, len(before))
	for _, j := range before {
		known[j.ID] = true
	}
	after = slices.DeleteFunc(slices.Clone(after), func(j Judged) bool { return !known[j.ID] })
	clear(known)
	for _, j := range after {
		known[j.ID] = true
	}
	before = slices.DeleteFunc(slices.Clone(before), func(j Judged) bool { return !known[j.ID] })
	old := make(map[string][5]float64)
	for _, g := range grouped(before) {
		old[g.name] = g.mean
	}
	var rows [][5]float64
	for _, g := range grouped(after) {
		row, ok := old[g.name]
		if !ok {
			continue
		}
		for i := range row {
			row[i] = g.mean[i] - row[i]
		}
		rows = append(rows, row)
	}
	return figures(rows), len(rows)
}

type group struct {
	name string
	mean [5]float64
}

// grouped averages inside each group, in the order of their names.
func grouped(all []Judged) []group {
	type sum struct {
		total [5]float64
		n     float64
	}
	sums := make(map[string]*sum)
	var names []string
	for _, j := range all {
		s := sums[j.Group]
		if s == nil {
			s = &sum{}
			sums[j.Group] = s
			names = append(names, j.Group)
		}
		for i, v := range j.values() {
			s.total[i] += v
		}
		s.n++
	}
	slices.Sort(names)
	out := make([]group, len(names))
	for i, name := range names {
		s := sums[name]
		out[i].name = name
		for k := range s.total {
			out[i].mean[k] = s.total[k] / s.n
		}
	}
	return out
}

// figures are the means of rows with their intervals.
func figures(rows [][5]float64) []Figure {
	out := make([]Figure, len(Names()))
	if len(rows) == 0 {
		return out
	}
	random := rand.New(rand.NewPCG(1, 2)) // always the same draws
	drawn := make([][]float64, len(out))
	for range resamples {
		var total [5]float64
		for range rows {
			row := rows[random.IntN(len(rows))]
			for k, v := range row {
				total[k] += v
			}
		}
		for k := range out {
			drawn[k] = append(drawn[k], total[k]/float64(len(rows)))
		}
	}
	for k := range out {
		for _, row := range rows {
			out[k].Value += row[k] / float64(len(rows))
		}
		slices.Sort(drawn[k])
		out[k].Low, out[k].High = drawn[k][resamples/40], drawn[k][resamples-1-resamples/40]
	}
	return out
}
