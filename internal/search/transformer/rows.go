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

// restorePlain converts sums of products of quantized values back to floats: it subtracts less from each sum c[i],
// multiplies the difference by both scales, by and scale[i], and adds bias[i].
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
