package transformer

import (
	"encoding/binary"
	"math"
)

// Weights are stored as weight + offset, because the kernels need unsigned weights. They
// have 6 bits, so that the sum of four products with 8-bit activations fits into 16 bits:
// VPMADDUBSW adds two, VPADDW the others.
const (
	offset     = 32
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
func (m *matrix) reset(input, out int) {
	m.in, m.out = input, out
	wide := up(out, tileColumns)
	m.packed = room(m.packed, wide*up(input, grain))
	m.scale = room(m.scale, wide)
}

func (m *matrix) at(i, o int) int {
	return ((o/tileColumns)*(up(m.in, grain)/step)+i/step)*tileColumns*step + (o%tileColumns)*step + i%step
}

// setColumn quantizes one column.
func (m *matrix) setColumn(o int, x []float32) {
	most := math.Float32frombits(greatest(x))
	m.scale[o] = most / mostWeight
	m.column = room(m.column, up(m.in, grain))
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

// limits are the shares of the greatest weight of a column that narrow tries as its greatest.
var limits = [...]float32{1, 0.94, 0.88, 0.82, 0.76}

// narrow cuts off the greatest weights of a column where that makes the squares of all its errors smaller: few codes are
// worth more for the many small weights than for one great one.
func narrow(x []float32) {
	most := math.Float32frombits(greatest(x))
	if most == 0 {
		return
	}
	limit, least := most, float32(math.MaxFloat32)
	for _, share := range limits {
		end := most * share
		size, factor, sum := end/mostWeight, mostWeight/end, float32(0)
		for _, v := range x {
			e := v - float32(float32(round(float32(min(max(v, -end), end)*factor)))*size)
			sum += float32(e * e)
		}
		if sum < least {
			limit, least = end, sum
		}
	}
	for i, v := range x {
		x[i] = min(max(v, -limit), limit)
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
func (a *active) reset(rows, input int) {
	a.rows, a.in, a.stride = rows, input, up(input, grain)
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
	var part, bias [tileRows * tileColumns]float32
	for first := 0; first < m.out; first += tileColumns {
		block, scale := m.packed[first*a.stride:][:tileColumns*a.stride], m.scale[first:][:tileColumns]
		if m.bias != nil {
			copy(bias[:tileColumns], m.bias[first:])
		}
		wide := min(tileColumns, m.out-first)
		for t := 0; t < a.rows; t += tileRows {
			if wide == tileColumns {
				multiply(y[t*stride+first:], stride, block, a, t, scale, bias[:])
				continue
			}
			multiply(part[:], tileColumns, block, a, t, scale, bias[:])
			for r := range min(tileRows, a.rows-t) {
				copy(y[(t+r)*stride+first:][:wide], part[r*tileColumns:])
			}
		}
	}
}

// up rounds n up to a multiple of of.
func up(n, index int) int { return (n + index - 1) / index * index }

// room returns a slice of n elements, which reuses s if s is large enough.
func room[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

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
		block, target := data[b*blockBytes:][:blockBytes], out[b*blockSize:][:blockSize]
		factor := half(binary.LittleEndian.Uint16(block))
		for i, c := range block[2:] {
			target[i] = float32(int(c&15)-8) * factor
			target[i+blockSize/2] = float32(int(c>>4)-8) * factor
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
func quantizePlain(codes []int8, x []float32, factor float32) (sum int32) {
	codes = codes[:len(x)]
	for i, v := range x {
		c := round(float32(v * factor))
		codes[i] = int8(c)
		sum += c
	}
	return sum
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
func normalizePlain(x, weight, bias []float32, mean, factor float32) {
	weight, bias = weight[:len(x)], bias[:len(x)]
	for i, v := range x {
		x[i] = float32(float32((v-mean)*factor)*weight[i]) + bias[i]
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

// A tile holds the products of tileRows rows of activations and tileColumns columns of a
// matrix.
const (
	tileRows    = 8
	tileColumns = 32
	step        = 4        // number of coordinates of a column that are stored together
	grain       = 2 * step // the number of coordinates is filled up to a multiple of it
)

// multiplyPlain computes the tile of the rows from t on and a block of a matrix, which has tileColumns columns, and writes
// it to y, whose rows begin gap coordinates apart. The assembly kernels compute the same bits.
func multiplyPlain(y []float32, gap int, block []uint8, a *active, t int, scale, bias []float32) {
	for r := t; r < min(t+tileRows, a.rows); r++ {
		var c [tileColumns]int32
		for k, row := 0, a.codes[r*a.stride:][:a.stride]; k < len(row); k += step {
			x, weights := row[k:][:step], block[k*tileColumns:][:tileColumns*step]
			a0, a1, a2, a3 := int32(x[0]), int32(x[1]), int32(x[2]), int32(x[3])
			for o := range c {
				v := weights[o*step:][:step]
				c[o] += a0*int32(v[0]) + a1*int32(v[1]) + a2*int32(v[2]) + a3*int32(v[3])
			}
		}
		out, factor, less := y[(r-t)*gap:][:tileColumns], a.scale[r], offset*a.sum[r]
		for o := range out {
			out[o] = float32(float32(c[o]-less)*float32(factor*scale[o])) + bias[o]
		}
	}
}
