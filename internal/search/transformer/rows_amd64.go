package transformer

import "golang.org/x/sys/cpu"

//go:noescape
func greatestAVX2(x *float32, n int) uint32

//go:noescape
func quantizeAVX2(codes *int8, x *float32, n int, factor float32) int32

//go:noescape
func interpolateAVX2(x *float32, n int, table *float32, factor, low, high float32)

//go:noescape
func highestAVX2(x *float32, n int) float32

//go:noescape
func belowAVX2(x *float32, n int, most, end float32)

//go:noescape
func normalizeAVX2(x, weight, bias *float32, n int, mean, factor float32)

var wide = cpu.X86.HasAVX2

func greatest(x []float32) uint32 {
	n := len(x) &^ (lanes - 1)
	if !wide || n == 0 {
		return greatestPlain(x)
	}
	return max(greatestAVX2(&x[0], n), greatestPlain(x[n:]))
}

func quantize(codes []int8, x []float32, factor float32) int32 {
	n := len(x) &^ (lanes - 1)
	if !wide || n == 0 {
		return quantizePlain(codes, x, factor)
	}
	_ = codes[len(x)-1]
	return quantizeAVX2(&codes[0], &x[0], n, factor) + quantizePlain(codes[n:], x[n:], factor)
}

func (t *table) interpolate(x []float32, factor float32) {
	n := len(x) &^ (lanes - 1)
	if wide && n > 0 {
		interpolateAVX2(&x[0], n, &t.values[0], factor, t.low, t.high)
		x = x[n:]
	}
	t.interpolatePlain(x, factor)
}

func highest(x []float32) float32 {
	n := len(x) &^ (lanes - 1)
	if !wide || n == 0 {
		return highestPlain(x)
	}
	most := highestAVX2(&x[0], n)
	if n < len(x) {
		most = max(most, highestPlain(x[n:]))
	}
	return most
}

func below(x []float32, most, end float32) {
	n := len(x) &^ (lanes - 1)
	if wide && n > 0 {
		belowAVX2(&x[0], n, most, end)
		x = x[n:]
	}
	belowPlain(x, most, end)
}

func normalize(x, weight, bias []float32, mean, factor float32) {
	n := len(x) &^ (lanes - 1)
	if wide && n > 0 {
		_, _ = weight[n-1], bias[n-1]
		normalizeAVX2(&x[0], &weight[0], &bias[0], n, mean, factor)
	} else {
		n = 0
	}
	normalizePlain(x[n:], weight[n:], bias[n:], mean, factor)
}
