// Package vector stores and compares semantic vectors in compressed form: eight bits per
// coordinate, with a scale for each vector, and a sketch of one bit per coordinate that
// makes most comparisons unnecessary.
//
// A packed vector differs from the original by less than half a percent of its length, and
// takes a quarter of the memory. This loss of precision changed no result when it was
// measured.
package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// form is the first byte of packed vectors.
const form = 1

const header = 1 + 2 // form and dimension

// Pack encodes vectors of one dimension. Without vectors the result is only a header, which
// marks a passage that will never have vectors.
func Pack(vectors [][]float32) []byte {
	dimensions := 0
	if len(vectors) > 0 {
		dimensions = len(vectors[0])
	}
	out := make([]byte, 0, header+len(vectors)*(4+dimensions))
	out = append(out, form)
	out = binary.LittleEndian.AppendUint16(out, uint16(dimensions))
	for _, v := range vectors {
		scale := scaleOf(v)
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(scale))
		for _, x := range v {
			out = append(out, byte(int8(math.Round(float64(x/scale)))))
		}
	}
	return out
}

// scaleOf returns the value of one quantization step.
func scaleOf(v []float32) float32 {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	if most == 0 {
		return 1
	}
	return most / math.MaxInt8
}

// ErrForm means that bytes are not packed vectors.
var ErrForm = errors.New("vector: not in a known form")

// Set holds the packed vectors of many passages. The zero value is empty; the first vectors
// that are added determine the dimension.
type Set struct {
	Dimensions int
	codes      []int8
	scales     []float32
	sketches   []uint64
}

// Len returns the number of vectors.
func (s *Set) Len() int { return len(s.scales) }

// Add appends the vectors of one passage and returns their number. If packed has another
// form or dimension, it changes nothing.
func (s *Set) Add(packed []byte) (int, error) {
	if len(packed) < header || packed[0] != form {
		return 0, ErrForm
	}
	dimensions := int(binary.LittleEndian.Uint16(packed[1:]))
	rest := packed[header:]
	if dimensions == 0 && len(rest) == 0 {
		return 0, nil
	}
	if dimensions == 0 || len(rest)%(4+dimensions) != 0 {
		return 0, ErrForm
	}
	if s.Dimensions != 0 && s.Dimensions != dimensions {
		return 0, fmt.Errorf("%w: %d dimensions among %d", ErrForm, dimensions, s.Dimensions)
	}
	s.Dimensions = dimensions
	n := len(rest) / (4 + dimensions)
	for range n {
		s.scales = append(s.scales, math.Float32frombits(binary.LittleEndian.Uint32(rest)))
		for _, b := range rest[4 : 4+dimensions] {
			s.codes = append(s.codes, int8(b))
		}
		s.sketches = appendSketch(s.sketches, s.codes[len(s.codes)-dimensions:])
		rest = rest[4+dimensions:]
	}
	return n, nil
}

// Compact frees memory that was reserved but not used.
func (s *Set) Compact() {
	s.codes, s.scales, s.sketches = slices.Clone(s.codes), slices.Clone(s.scales), slices.Clone(s.sketches)
}

func appendSketch(out []uint64, codes []int8) []uint64 {
	var word uint64
	for i, c := range codes {
		if c < 0 {
			word |= 1 << (i % 64)
		}
		if i%64 == 63 || i == len(codes)-1 {
			out, word = append(out, word), 0
		}
	}
	return out
}

// Query is a vector prepared for comparison with many packed vectors.
type Query struct {
	codes  []int16
	scale  float32
	sketch []uint64
}

// queryStep is the maximum absolute coordinate of a prepared query.
const queryStep = 1 << 12

// NewQuery prepares a vector.
func NewQuery(v []float32) Query {
	q := Query{codes: make([]int16, len(v)), scale: scaleOf(v) * math.MaxInt8 / queryStep}
	signs := make([]int8, len(v))
	for i, x := range v {
		q.codes[i] = int16(math.Round(float64(x / q.scale)))
		if x < 0 {
			signs[i] = -1
		}
	}
	q.sketch = appendSketch(nil, signs)
	return q
}

// Dimensions returns the dimension of the query.
func (q Query) Dimensions() int { return len(q.codes) }

// Distance returns the number of coordinates of vector i whose sign differs from the
// query's.
func (s *Set) Distance(q Query, i int) int {
	n := 0
	words := len(q.sketch)
	for w, x := range s.sketches[i*words : (i+1)*words] {
		n += bits.OnesCount64(x ^ q.sketch[w])
	}
	return n
}

// Distances appends the distance of each vector to dst.
func (s *Set) Distances(dst []uint16, q Query) []uint16 {
	// The number of 64-bit words of a sketch of 192 dimensions, as the built-in encoder
	// has, and of 512, as many models have.
	const own, usual = 3, 8
	switch len(q.sketch) {
	case own:
		y := (*[own]uint64)(q.sketch)
		for rest := s.sketches; len(rest) >= own; rest = rest[own:] {
			x := (*[own]uint64)(rest)
			n := bits.OnesCount64(x[0]^y[0]) + bits.OnesCount64(x[1]^y[1]) + bits.OnesCount64(x[2]^y[2])
			dst = append(dst, uint16(n))
		}
	case usual:
		y := (*[usual]uint64)(q.sketch)
		for rest := s.sketches; len(rest) >= usual; rest = rest[usual:] {
			x := (*[usual]uint64)(rest)
			n := bits.OnesCount64(x[0]^y[0]) + bits.OnesCount64(x[1]^y[1]) + bits.OnesCount64(x[2]^y[2]) + bits.OnesCount64(x[3]^y[3])
			n += bits.OnesCount64(x[4]^y[4]) + bits.OnesCount64(x[5]^y[5]) + bits.OnesCount64(x[6]^y[6]) + bits.OnesCount64(x[7]^y[7])
			dst = append(dst, uint16(n))
		}
	default:
		for i := range s.Len() {
			dst = append(dst, uint16(s.Distance(q, i)))
		}
	}
	return dst
}

// Dot returns the dot product of vector i and the query: their cosine if both have length
// 1.
func (s *Set) Dot(q Query, i int) float32 {
	v := s.codes[i*s.Dimensions : (i+1)*s.Dimensions]
	c := q.codes[:len(v)]
	sum := int64(0)
	for len(v) > mostTogether {
		sum += int64(product(v[:mostTogether], c[:mostTogether]))
		v, c = v[mostTogether:], c[mostTogether:]
	}
	return float32(sum+int64(product(v, c))) * s.scales[i] * q.scale
}

// mostTogether is the maximum number of products of coordinates whose sum fits into 32
// bits.
const mostTogether = math.MaxInt32 / (queryStep * (math.MaxInt8 + 1))

// product returns the dot product of two vectors of equal length, of at most mostTogether
// coordinates.
func product(v []int8, c []int16) int32 {
	var a, b int32
	for len(v) >= 8 && len(c) >= 8 {
		x, y := (*[8]int8)(v), (*[8]int16)(c)
		a += int32(x[0])*int32(y[0]) + int32(x[1])*int32(y[1]) + int32(x[2])*int32(y[2]) + int32(x[3])*int32(y[3])
		b += int32(x[4])*int32(y[4]) + int32(x[5])*int32(y[5]) + int32(x[6])*int32(y[6]) + int32(x[7])*int32(y[7])
		v, c = v[8:], c[8:]
	}
	for k := range v {
		a += int32(v[k]) * int32(c[k])
	}
	return a + b
}

// Unpack returns the vectors with the precision that packing kept.
func Unpack(packed []byte) ([][]float32, error) {
	var s Set
	n, err := s.Add(packed)
	out := make([][]float32, 0, n)
	for i := range n {
		v := make([]float32, s.Dimensions)
		for k, c := range s.codes[i*s.Dimensions : (i+1)*s.Dimensions] {
			v[k] = float32(c) * s.scales[i]
		}
		out = append(out, v)
	}
	return out, err
}

// Nearest returns the greatest dot product of the query with the packed vectors of a
// passage: their cosine if all have length 1. It is false if there are none of the query's
// dimension.
func Nearest(packed []byte, q Query) (float32, bool) {
	var s Set
	n, err := s.Add(packed)
	if err != nil || n == 0 || s.Dimensions != q.Dimensions() {
		return 0, false
	}
	best := s.Dot(q, 0)
	for i := 1; i < n; i++ {
		best = max(best, s.Dot(q, i))
	}
	return best, true
}
