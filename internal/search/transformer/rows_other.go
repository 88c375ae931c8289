//go:build !amd64

package transformer

func greatest(x []float32) uint32 { return greatestPlain(x) }

func quantize(codes []int8, x []float32, factor float32) int32 {
	return quantizePlain(codes, x, factor)
}

func (t *table) interpolate(x []float32, factor float32) { t.interpolatePlain(x, factor) }

func highest(x []float32) float32 { return highestPlain(x) }

func below(x []float32, most, end float32) { belowPlain(x, most, end) }

func normalize(x, weight, bias []float32, mean, factor float32) {
	normalizePlain(x, weight, bias, mean, factor)
}
