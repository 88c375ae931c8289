package transformer

import "golang.org/x/sys/cpu"

//go:noescape
func tileVNNI(c *int32, w *uint8, a *int8, stride, n int)

//go:noescape
func quarterAVX2(c *int32, w *uint8, a *int8, stride, n int)

//go:noescape
func restoredVNNI(y *float32, w *uint8, a *int8, stride, n int, scale, bias, factor *float32, sum *int32, gap, rows int)

// tile is the fastest kernel that this processor supports.
var tile = kernel()

// vnni reports whether this processor has AVX-512 with VNNI.
var vnni = cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL

// Accelerated reports whether this processor has a kernel that is fast enough to read articles
// while somebody waits for the answer.
func Accelerated() bool { return vnni || cpu.X86.HasAVX2 }

func kernel() func(c *products, w []uint8, a []int8, stride, n int) {
	switch {
	case vnni:
		return tileAVX512
	case cpu.X86.HasAVX2:
		return tileAVX2
	}
	return tilePlain
}

// restored computes the tile of the rows from t on and writes it to y. It does what tile and restore do one after the
// other, but stores no products in between. It is nil if the processor has no such kernel. The block has all
// tileColumns columns. The rows of y begin gap coordinates apart.
var restored = kernelRestored()

func kernelRestored() func(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) {
	if vnni {
		return restoredAVX512
	}
	return nil
}

func restoredAVX512(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) {
	rows, n := min(tileRows, a.rows-t), a.stride/step
	codes := a.codes[t*a.stride:]
	_, _, _, _ = y[(rows-1)*gap+tileColumns-1], block[n*tileColumns*step-1], codes[tileRows*a.stride-1], a.scale[t+rows-1]
	_, _, _ = a.sum[t+rows-1], scale[tileColumns-1], bias[tileColumns-1]
	restoredVNNI(&y[0], &block[0], &codes[0], a.stride, n, &scale[0], &bias[0], &a.scale[t], &a.sum[t], gap, rows)
}

func tileAVX512(c *products, w []uint8, a []int8, stride, n int) {
	_, _ = w[n*tileColumns*step-1], a[(tileRows-1)*stride+n*step-1]
	tileVNNI(&c[0], &w[0], &a[0], stride, n)
}

func tileAVX2(c *products, w []uint8, a []int8, stride, n int) {
	_, _ = w[n*tileColumns*step-1], a[(tileRows-1)*stride+n*step-1]
	for row := 0; row < tileRows; row += tileRows / 2 {
		for column := 0; column < tileColumns; column += tileColumns / 2 {
			quarterAVX2(&c[row*tileColumns+column], &w[column*step], &a[row*stride], stride, n)
		}
	}
}
