package chain

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// The encoding of a model: magic, number of labels, scale, the weights of pairs, first and last labels, the
// number of features, the differences between their hashes in increasing order, and their weights. A weight
// is one byte, in units of a 127th of the scale.
const magic = "CRF1"

// mostFeatures is more than any reasonable model has.
const mostFeatures = 1 << 20

// ErrModel reports bytes that encode no model.
var ErrModel = errors.New("invalid model")

// mostKept is the most features that are written. With twenty labels they take less than a megabyte.
const mostKept = 46_000

// Write writes the model: the features with the largest weights, rounded to 8 bits.
func (m *Model) Write(w io.Writer) error {
	top := float32(0)
	for _, v := range slices.Concat(m.weights, m.follow, m.first, m.last) {
		top = max(top, v, -v)
	}
	if top == 0 {
		top = 1
	}
	b := append([]byte(magic), byte(m.labels))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(top))
	for _, part := range [][]float32{m.follow, m.first, m.last} {
		for _, v := range part {
			b = append(b, byte(rounded(v, top)))
		}
	}
	for _, barred := range m.barred {
		b = append(b, map[bool]byte{true: 1}[barred])
	}
	hashes := m.heaviest(mostKept)
	b = binary.AppendUvarint(b, uint64(len(hashes)))
	before := uint32(0)
	for _, f := range hashes {
		b = binary.AppendUvarint(b, uint64(f-before))
		before = f
	}
	for _, f := range hashes {
		for _, v := range m.row(m.index[f]) {
			b = append(b, byte(rounded(v, top)))
		}
	}
	_, err := w.Write(b)
	return err
}

// heaviest returns the hashes of the n features with the largest weights, in increasing order.
func (m *Model) heaviest(n int) []uint32 {
	weigh := func(f uint32) float32 {
		row := m.row(m.index[f])
		return max(slices.Max(row), -slices.Min(row))
	}
	hashes := slices.Sorted(maps.Keys(m.index))
	slices.SortStableFunc(hashes, func(a, b uint32) int { return cmp.Compare(weigh(b), weigh(a)) })
	hashes = hashes[:min(n, len(hashes))]
	slices.Sort(hashes)
	return hashes
}

func (m *Model) row(at int32) []float32 {
	return m.weights[int(at)*m.labels : (int(at)+1)*m.labels]
}

func rounded(v, top float32) int8 { return int8(math.Round(float64(v / top * 127))) }

// Read decodes what Write wrote. It returns ErrModel for anything else.
func Read(b []byte) (m *Model, err error) {
	defer func() {
		if recover() != nil {
			m, err = nil, fmt.Errorf("%w: truncated", ErrModel)
		}
	}()
	if len(b) < len(magic)+5 || string(b[:len(magic)]) != magic || b[len(magic)] == 0 || b[len(magic)] > MostLabels {
		return nil, ErrModel
	}
	k := int(b[len(magic)])
	top := math.Float32frombits(binary.LittleEndian.Uint32(b[len(magic)+1:]))
	b = b[len(magic)+5:]
	m = &Model{labels: k}
	weights := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(int8(b[i])) / 127 * top
		}
		b = b[n:]
		return out
	}
	m.follow, m.first, m.last = weights(k*k), weights(k), weights(k)
	m.barred = make([]bool, k*k)
	for i := range m.barred {
		m.barred[i] = b[i] != 0
	}
	b = b[k*k:]
	n, size := binary.Uvarint(b)
	if size <= 0 || n > mostFeatures || n*uint64(k) > uint64(len(b)) {
		return nil, ErrModel
	}
	b = b[size:]
	m.index = make(map[uint32]int32, n)
	at := uint32(0)
	for i := range int32(n) {
		d, size := binary.Uvarint(b)
		if size <= 0 || d > math.MaxUint32 {
			return nil, ErrModel
		}
		b = b[size:]
		at += uint32(d)
		m.index[at] = i
	}
	m.weights = weights(int(n) * k)
	if len(b) != 0 {
		return nil, ErrModel
	}
	return m, nil
}
