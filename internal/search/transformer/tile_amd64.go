package transformer

import "golang.org/x/sys/cpu"

//go:noescape
func multiplyVNNI(y *float32, w *uint8, a *int8, stride, n int, scale, bias, factor *float32, sum *int32, gap, rows int)

//go:noescape
func quarterAVX2(y *float32, w *uint8, a *int8, stride, n int, scale, bias, factor *float32, sum *int32, gap, rows int)

// vnni reports whether this processor has AVX-512 with VNNI.
var vnni = cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL

// Accelerated reports whether this processor has a kernel that is fast enough to read articles
// while somebody waits for the answer.
func Accelerated() bool { return vnni || cpu.X86.HasAVX2 }

// multiply does what multiplyPlain does, by the fastest kernel that this processor supports.
var multiply = kernel()

func kernel() func(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) {
	switch {
	case vnni:
		return multiplyAVX512
	case cpu.X86.HasAVX2:
		return multiplyAVX2
	}
	return multiplyPlain
}

func multiplyAVX512(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) {
	rows := check(y, gap, block, a, t, scale, bias)
	multiplyVNNI(&y[0], &block[0], &a.codes[t*a.stride], a.stride, a.stride/step, &scale[0], &bias[0], &a.scale[t], &a.sum[t], gap, rows)
}

func multiplyAVX2(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) {
	const high, wide = tileRows / 2, tileColumns / 2
	rows := check(y, gap, block, a, t, scale, bias)
	for r := 0; r < rows; r += high {
		for c := 0; c < tileColumns; c += wide {
			quarterAVX2(&y[r*gap+c], &block[c*step], &a.codes[(t+r)*a.stride], a.stride, a.stride/grain, &scale[c], &bias[c], &a.scale[t+r], &a.sum[t+r], gap, min(high, rows-r))
		}
	}
}

// check panics if a kernel would read or write beyond its arguments, and returns the number of rows that the tile has.
func check(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) (rows int) {
	rows = min(tileRows, a.rows-t)
	_, _, _, _ = y[(rows-1)*gap+tileColumns-1], block[tileColumns*a.stride-1], a.codes[(t+tileRows)*a.stride-1], a.scale[t+rows-1]
	_, _, _ = a.sum[t+rows-1], scale[tileColumns-1], bias[tileColumns-1]
	return rows
}
