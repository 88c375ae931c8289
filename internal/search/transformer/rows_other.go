//go:build !amd64

package transformer

func greatest(x []float32) uint32 { return greatestPlain(x) }

func quantize(codes []int8, x []float32, by float32) int32 { return quantizePlain(codes, x, by) }

func restore(out []float32, c []int32, scale, bias []float32, by float32, less int32) {
	restorePlain(out, c, scale, bias, by, less)
}

func (t *table) interpolate(x []float32, by float32) { t.interpolatePlain(x, by) }

func highest(x []float32) float32 { return highestPlain(x) }

func below(x []float32, most, end float32) { belowPlain(x, most, end) }

func normalize(x, weight, bias []float32, mean, by float32) {
	normalizePlain(x, weight, bias, mean, by)
}
