package transformer

import "math"

// lanes is the number of float32 values that the assembly kernels process at a time.
const lanes = 8

// signBit is the sign bit of a float32. Without it, the bits of float32 values have the
// same order as their magnitudes.
const signBit = 1 << 31

// greatestPlain returns the bits of the greatest magnitude in x.
func greatestPlain(x []float32) (most uint32) {
	for _, v := range x {
		most = max(most, math.Float32bits(v)&^signBit)
	}
	return most
}

// quantizePlain writes each x times by, rounded to an integer, to codes, and returns the
// sum of the codes.
func quantizePlain(codes []int8, x []float32, by float32) (sum int32) {
	codes = codes[:len(x)]
	for i, v := range x {
		c := round(float32(v * by))
		codes[i] = int8(c)
		sum += c
	}
	return sum
}

// restorePlain converts sums of products of quantized values back to floats: c[i] becomes (c[i] - less) · by · scale[i]
// + bias[i].
func restorePlain(out []float32, c []int32, scale, bias []float32, by float32, less int32) {
	c, scale, bias = c[:len(out)], scale[:len(out)], bias[:len(out)]
	for i := range out {
		out[i] = float32(float32(c[i]-less)*float32(by*scale[i])) + bias[i]
	}
}

// round returns the integer nearest to x. If two integers are equally near, it returns the even one. The magnitude of x
// must be below 2^22.
func round(x float32) int32 {
	const magic = 3 << 22
	return int32(math.Float32bits(x+magic)) - int32(math.Float32bits(magic))
}

// highestPlain returns the greatest of x.
func highestPlain(x []float32) float32 {
	most := x[0]
	for _, v := range x[1:] {
		if v > most {
			most = v
		}
	}
	return most
}

// belowPlain replaces each x by most - x, but at most by end.
func belowPlain(x []float32, most, end float32) {
	for i, v := range x {
		x[i] = min(most-v, end)
	}
}

// normalizePlain replaces each x by (x - mean) · by · weight[i] + bias[i].
func normalizePlain(x, weight, bias []float32, mean, by float32) {
	weight, bias = weight[:len(x)], bias[:len(x)]
	for i, v := range x {
		x[i] = float32(float32((v-mean)*by)*weight[i]) + bias[i]
	}
}

// together is the number of rows that are summed at the same time. Each is summed in its order, which no kernel may
// change, so that an addition waits for the one before it; those of other rows fill the time.
const together = 4

// rowsAt returns the rows from t on, each of h numbers. Behind the last one of x it repeats that.
func rowsAt(x []float32, t, h int) (rows [together][]float32) {
	for r := range rows {
		rows[r] = x[min(t+r, len(x)/h-1)*h:][:h]
	}
	return rows
}

// sums returns the sum of each row.
func sums(rows [together][]float32) (sum [together]float32) {
	a := rows[0]
	b, c, d := rows[1][:len(a)], rows[2][:len(a)], rows[3][:len(a)]
	var sa, sb, sc, sd float32
	for i, v := range a {
		sa += v
		sb += b[i]
		sc += c[i]
		sd += d[i]
	}
	return [together]float32{sa, sb, sc, sd}
}

// squares returns the sum of the squares of each row's differences from its mean.
func squares(rows [together][]float32, mean [together]float32) (sum [together]float32) {
	a := rows[0]
	b, c, d := rows[1][:len(a)], rows[2][:len(a)], rows[3][:len(a)]
	var sa, sb, sc, sd float32
	for i, v := range a {
		da, db, dc, dd := v-mean[0], b[i]-mean[1], c[i]-mean[2], d[i]-mean[3]
		sa += float32(da * da)
		sb += float32(db * db)
		sc += float32(dc * dc)
		sd += float32(dd * dd)
	}
	return [together]float32{sa, sb, sc, sd}
}
