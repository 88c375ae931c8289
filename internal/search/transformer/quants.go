package transformer

import (
	"encoding/binary"
	"math"
)

// Weights are stored in blocks of 32 with 4 bits per weight and one scale (half precision)
// per block, the layout that llama.cpp calls Q4_0.
const (
	blockSize  = 32
	blockBytes = 2 + blockSize/2
)

// quants holds rows of such weights.
type quants struct {
	data   []byte
	length int // number of weights in a row; a multiple of blockSize
}

func (q quants) rowBytes() int { return q.length / blockSize * blockBytes }

// row writes the weights of row n to out.
func (q quants) row(n int, out []float32) {
	data := q.data[n*q.rowBytes():]
	for b := range q.length / blockSize {
		block, to := data[b*blockBytes:][:blockBytes], out[b*blockSize:][:blockSize]
		by := half(binary.LittleEndian.Uint16(block))
		for i, c := range block[2:] {
			to[i] = float32(int(c&15)-8) * by
			to[i+blockSize/2] = float32(int(c>>4)-8) * by
		}
	}
}

// half converts a number of half precision (IEEE 754 binary16).
func half(h uint16) float32 {
	sign, e, f := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch e {
	case 0:
		x := float32(f) / (1 << 24)
		return math.Float32frombits(math.Float32bits(x) | sign)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | f<<13)
	}
	return math.Float32frombits(sign | (e+112)<<23 | f<<13)
}
