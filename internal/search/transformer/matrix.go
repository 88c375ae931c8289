package transformer

import (
	"encoding/binary"
	"math"
)

// Weights are stored as weight + offset, because the kernels need unsigned weights. They
// have 7 bits, so that the sum of two products with 8-bit activations fits into 16 bits
// (VPMADDUBSW).
const (
	offset     = 64
	mostWeight = offset - 1
	mostActive = 127
)

// matrix is a linear map from in coordinates to out coordinates, with a column for each of
// the latter.
type matrix struct {
	in, out int
	packed  []uint8   // blocks of tileColumns columns; a block has step coordinates of each column, then the next step coordinates of each, and so on
	scale   []float32 // of each column
	bias    []float32 // of each column; nil: none
	column  []int8
}

// reset gives the matrix its size and reuses its memory. The caller must set each column. Columns after the last one,
// up to a whole tile, may hold anything, because their products are not used.
func (m *matrix) reset(in, out int) {
	m.in, m.out = in, out
	wide := up(out, tileColumns)
	m.packed = room(m.packed, wide*up(in, step))
	m.scale = room(m.scale, wide)
}

func (m *matrix) at(i, o int) int {
	return ((o/tileColumns)*(up(m.in, step)/step)+i/step)*tileColumns*step + (o%tileColumns)*step + i%step
}

// setColumn quantizes one column.
func (m *matrix) setColumn(o int, x []float32) {
	most := math.Float32frombits(greatest(x))
	m.scale[o] = most / mostWeight
	m.column = room(m.column, up(m.in, step))
	clear(m.column[m.in:])
	if most == 0 {
		clear(m.column)
	} else {
		quantize(m.column, x[:m.in], mostWeight/most)
	}
	out := m.packed[m.at(0, o):]
	for i := 0; i < len(m.column); i += step {
		c := m.column[i:][:step]
		four := uint32(uint8(c[0]+offset)) | uint32(uint8(c[1]+offset))<<8 | uint32(uint8(c[2]+offset))<<16 | uint32(uint8(c[3]+offset))<<24
		binary.LittleEndian.PutUint32(out[i*tileColumns:], four)
	}
}

// active holds rows of quantized activations, padded to whole tiles.
type active struct {
	rows, in int
	stride   int
	codes    []int8
	scale    []float32 // of each row
	sum      []int32   // sum of each row's codes
}

// reset makes room for the given number of rows of in coordinates each.
func (a *active) reset(rows, in int) {
	a.rows, a.in, a.stride = rows, in, up(in, step)
	n := up(rows, tileRows)
	a.codes, a.scale, a.sum = room(a.codes, n*a.stride), room(a.scale, n), room(a.sum, n)
	clear(a.codes[rows*a.stride:])
	clear(a.sum)
	clear(a.scale)
}

// set quantizes a row.
func (a *active) set(t int, x []float32) {
	most := math.Float32frombits(greatest(x))
	codes := a.codes[t*a.stride:][:a.stride]
	clear(codes[len(x):])
	a.scale[t], a.sum[t] = most/mostActive, 0
	if most == 0 {
		clear(codes)
		return
	}
	a.sum[t] = quantize(codes, x, mostActive/most)
}

// times writes the products of the rows with the matrix to y. The rows of y begin stride
// coordinates apart.
func (a *active) times(m *matrix, y []float32, stride int) {
	n := a.stride / step
	var c products
	for first := 0; first < m.out; first += tileColumns {
		block := m.packed[first*a.stride:][:tileColumns*a.stride]
		wide := min(tileColumns, m.out-first)
		scale, bias := m.scale[first:][:wide], none[:wide]
		if m.bias != nil {
			bias = m.bias[first:][:wide]
		}
		for t := 0; t < a.rows; t += tileRows {
			if restored != nil && wide == tileColumns {
				restored(y[t*stride+first:], stride, block, a, t, scale, bias)
				continue
			}
			tile(&c, block, a.codes[t*a.stride:], a.stride, n)
			for r := range min(tileRows, a.rows-t) {
				restore(y[(t+r)*stride+first:][:wide], c[r*tileColumns:][:wide], scale, bias, a.scale[t+r], offset*a.sum[t+r])
			}
		}
	}
}

// none is the zero bias of a matrix without biases.
var none [tileColumns]float32

// up rounds n up to a multiple of of.
func up(n, of int) int { return (n + of - 1) / of * of }

// room returns a slice of n elements, which reuses s if s is large enough.
func room[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
