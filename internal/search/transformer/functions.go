package transformer

import "math"

// apply normalizes each row of x, which has as many numbers as the norm, to mean 0 and variance 1, then multiplies it by
// the norm's weight and adds its bias.
func (n *norm) apply(x []float32, epsilon float32) {
	h := len(n.weight)
	for t := 0; t < len(x)/h; t += together {
		rows := rowsAt(x, t, h)
		mean := sums(rows)
		for r := range mean {
			mean[r] /= float32(h)
		}
		variance := squares(rows, mean)
		for r := range min(together, len(x)/h-t) {
			by := float32(1 / math.Sqrt(float64(variance[r]/float32(h)+epsilon)))
			normalize(rows[r], n.weight, n.bias, mean[r], by)
		}
	}
}

// softmax replaces each x of each row of n numbers by e^(by·(x − max)), so that the greatest of a row becomes 1. The
// caller divides by the sum of the row.
func softmax(x []float32, n int, by float32) {
	end := expEnd / by
	for t := 0; t < len(x); t += n {
		row := x[t:][:n]
		below(row, highest(row), end)
	}
	falling.interpolate(x, by)
}

// perUnit is the number of table entries per unit of x. Values between entries are
// interpolated linearly; the error is far below that of 8-bit activations.
const perUnit = 256

// table holds the values of a function from low to high. Below low the function is f(low);
// above high it is f(high) + x − high.
type table struct {
	low, high float32
	values    []float32
}

func tableOf(low, high float64, f func(x float64) float64) *table {
	t := &table{float32(low), float32(high), make([]float32, int((high-low)*perUnit)+2)}
	for i := range t.values {
		t.values[i] = float32(f(low + float64(i)/perUnit))
	}
	return t
}

const (
	geluEnd = 8  // gelu(x) is 0 below -geluEnd and x above geluEnd, within the precision of float32
	expEnd  = 17 // exp(-x) is practically 0 from here on
)

// gelu is the Gaussian error linear unit, x·Φ(x) (Hendrycks and Gimpel, 2016).
var gelu = tableOf(-geluEnd, geluEnd, func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) })

// falling is exp(-x), for x ≥ 0.
var falling = tableOf(0, expEnd, func(x float64) float64 { return math.Exp(-x) })

// interpolatePlain replaces each x by the function of by·x.
func (t *table) interpolatePlain(x []float32, by float32) {
	for i, v := range x {
		v = float32(v * by)
		at := float32((min(max(v, t.low), t.high) - t.low) * perUnit)
		k := int32(at)
		a, b := t.values[k], t.values[k+1]
		x[i] = a + float32((b-a)*(at-float32(k))) + max(v-t.high, 0)
	}
}
