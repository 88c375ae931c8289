package transformer

import "golang.org/x/sys/cpu"

//go:noescape
func greatestAVX2(x *float32, n int) uint32

//go:noescape
func quantizeAVX2(codes *int8, x *float32, n int, by float32) int32

//go:noescape
func restoreAVX2(out *float32, c *int32, scale, bias *float32, n int, by float32, less int32)

//go:noescape
func interpolateAVX2(x *float32, n int, table *float32, by, low, high float32)

var wide = cpu.X86.HasAVX2

func greatest(x []float32) uint32 {
	n := len(x) &^ (lanes - 1)
	if !wide || n == 0 {
		return greatestPlain(x)
	}
	return max(greatestAVX2(&x[0], n), greatestPlain(x[n:]))
}

func quantize(codes []int8, x []float32, by float32) int32 {
	n := len(x) &^ (lanes - 1)
	if !wide || n == 0 {
		return quantizePlain(codes, x, by)
	}
	_ = codes[len(x)-1]
	return quantizeAVX2(&codes[0], &x[0], n, by) + quantizePlain(codes[n:], x[n:], by)
}

func restore(out []float32, c []int32, scale, bias []float32, by float32, less int32) {
	n := len(out) &^ (lanes - 1)
	if !wide || n == 0 {
		restorePlain(out, c, scale, bias, by, less)
		return
	}
	_, _, _ = c[len(out)-1], scale[len(out)-1], bias[len(out)-1]
	restoreAVX2(&out[0], &c[0], &scale[0], &bias[0], n, by, less)
	restorePlain(out[n:], c[n:], scale[n:], bias[n:], by, less)
}

func (t *table) interpolate(x []float32, by float32) {
	n := len(x) &^ (lanes - 1)
	if wide && n > 0 {
		interpolateAVX2(&x[0], n, &t.values[0], by, t.low, t.high)
		x = x[n:]
	}
	t.interpolatePlain(x, by)
}
