package transformer

import "math"

// apply brings numbers to mean 0 and variance 1, and then to the norm's own.
func (n *norm) apply(x []float32, epsilon float32) {
	sum := float32(0)
	for _, v := range x {
		sum += v
	}
	mean := sum / float32(len(x))
	sum = 0
	for _, v := range x {
		d := v - mean
		sum += float32(d * d)
	}
	by := float32(1 / math.Sqrt(float64(sum/float32(len(x))+epsilon)))
	for i, v := range x {
		x[i] = float32(float32((v-mean)*by)*n.weight[i]) + n.bias[i]
	}
}

// softmax writes the exponentials of numbers times by, the greatest of which is 1, and
// returns their sum.
func softmax(x []float32, by float32) (sum float32) {
	most := x[0]
	for _, v := range x[1:] {
		if v > most {
			most = v
		}
	}
	end := expEnd / by
	for i, v := range x {
		x[i] = min(most-v, end)
	}
	falling.interpolate(x, by)
	for _, v := range x {
		sum += v
	}
	return sum
}

// perUnit is how many places a table has for each unit. Between them functions are drawn
// straight: the error is below that of 8-bit activations by far.
const perUnit = 256

// table holds a function from low to high. Below low it stays as it is there; above high
// it grows as the number does.
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
	geluEnd = 8  // gelu(x) is 0 below -geluEnd and x above geluEnd, to the precision at hand
	expEnd  = 17 // exp(-x) is as good as 0 there
)

// gelu is x times how likely a normal number is below x (Hendrycks and Gimpel, 2016).
var gelu = tableOf(-geluEnd, geluEnd, func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) })

// falling is exp(-x) of what is not below 0.
var falling = tableOf(0, expEnd, func(x float64) float64 { return math.Exp(-x) })

// interpolatePlain puts the function of each number times by in its place.
func (t *table) interpolatePlain(x []float32, by float32) {
	for i, v := range x {
		v = float32(v * by)
		at := float32((min(max(v, t.low), t.high) - t.low) * perUnit)
		k := int32(at)
		a, b := t.values[k], t.values[k+1]
		x[i] = a + float32((b-a)*(at-float32(k))) + max(v-t.high, 0)
	}
}
