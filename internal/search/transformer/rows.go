package transformer

import "math"

// lanes is how many numbers the kernels of processors take at a time.
const lanes = 8

// signBit is that of a float32; without it numbers are ordered as their bits are.
const signBit = 1 << 31

// greatestPlain returns the bits of the greatest number, signs left out.
func greatestPlain(x []float32) (most uint32) {
	for _, v := range x {
		most = max(most, math.Float32bits(v)&^signBit)
	}
	return most
}

// quantizePlain writes the nearest integers of numbers times by, and returns their sum.
func quantizePlain(codes []int8, x []float32, by float32) (sum int32) {
	codes = codes[:len(x)]
	for i, v := range x {
		c := round(float32(v * by))
		codes[i] = int8(c)
		sum += c
	}
	return sum
}

// restorePlain writes the numbers that sums of products stand for.
func restorePlain(out []float32, c []int32, scale, bias []float32, by float32, less int32) {
	c, scale, bias = c[:len(out)], scale[:len(out)], bias[:len(out)]
	for i := range out {
		out[i] = float32(float32(c[i]-less)*float32(by*scale[i])) + bias[i]
	}
}

// round returns the nearest integer, of two the even one, of numbers below 2^22.
func round(x float32) int32 {
	const magic = 3 << 22
	return int32(math.Float32bits(x+magic)) - int32(math.Float32bits(magic))
}
