package transformer

import "golang.org/x/sys/cpu"

//go:noescape
func tileVNNI(c *int32, w *uint8, a *int8, stride, n int)

//go:noescape
func quarterAVX2(c *int32, w *uint8, a *int8, stride, n int)

// tile is the fastest kernel that this processor supports.
var tile = kernel()

func kernel() func(c *products, w []uint8, a []int8, stride, n int) {
	switch {
	case cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		return tileAVX512
	case cpu.X86.HasAVX2:
		return tileAVX2
	}
	return tilePlain
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
