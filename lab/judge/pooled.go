package judge

import (
	"math/rand/v2"
	"slices"
)

// Part is what was counted in one group, a file for instance: Count of Of. The
// groups' shares are pooled: a group with more items counts more.
type Part struct {
	Name  string
	Count float64
	Of    float64
}

// Pooled is the sum of Count over the sum of Of, with the interval in which 95 of
// 100 resamples of the groups lie: items of one group are no independent trials.
func Pooled(parts []Part) Figure {
	return resampled(len(parts), func(draw []int) float64 { return share(parts, draw) })
}

// PooledDifference is how much greater the pooled share is in the second of two
// runs, both resampled by the same draws. Groups that are not in both are left out;
// common says how many are.
func PooledDifference(before, after []Part) (difference Figure, common int) {
	var a, b []Part
	for _, p := range before {
		if i := slices.IndexFunc(after, func(o Part) bool { return o.Name == p.Name }); i >= 0 {
			a, b = append(a, p), append(b, after[i])
		}
	}
	return resampled(len(a), func(draw []int) float64 { return share(b, draw) - share(a, draw) }), len(a)
}

// share is the pooled share of the groups that were drawn.
func share(parts []Part, draw []int) float64 {
	count, of := 0.0, 0.0
	for _, i := range draw {
		count, of = count+parts[i].Count, of+parts[i].Of
	}
	if of == 0 {
		return 0
	}
	return count / of
}

// resampled is a figure over n groups, with what it is over groups that are drawn anew.
func resampled(n int, figure func(draw []int) float64) Figure {
	if n == 0 {
		return Figure{}
	}
	draw := make([]int, n)
	for i := range draw {
		draw[i] = i
	}
	out := Figure{Value: figure(draw)}
	random := rand.New(rand.NewPCG(1, 2)) // always the same draws
	drawn := make([]float64, resamples)
	for k := range drawn {
		for i := range draw {
			draw[i] = random.IntN(n)
		}
		drawn[k] = figure(draw)
	}
	slices.Sort(drawn)
	out.Low, out.High = drawn[resamples/40], drawn[resamples-1-resamples/40]
	return out
}
