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

// A model is kept as: magic, labels, scale, the chain's own weights, the number
// of features, their hashes in rising order as differences, and their weights as
// whole numbers of a 127th of the scale, one byte each.
const magic = "CRF1"

// mostFeatures is more than a model of a sensible size has.
const mostFeatures = 1 << 20

// ErrModel says that bytes are no model.
var ErrModel = errors.New("no model of a chain")

// mostKept is how many features are kept: what they take stays below a megabyte
// with twenty labels.
const mostKept = 46_000

// Write keeps the model: the features with the largest weights, rounded to 8 bits.
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

// heaviest returns the hashes of the n features with the largest weights, rising.
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

// Read is what Write kept; the error is ErrModel when b is nothing of the kind.
func Read(b []byte) (m *Model, err error) {
	defer func() {
		if recover() != nil {
			m, err = nil, fmt.Errorf("%w: it is cut off", ErrModel)
		}
	}()
	if len(b) < len(magic)+5 || string(b[:len(magic)]) != magic || b[len(magic)] == 0 || b[len(magic)] > MostLabels {
		return nil, ErrModel
	}
	k := int(b[len(magic)])
	top := math.Float32frombits(binary.LittleEndian.Uint32(b[len(magic)+1:]))
	b = b[len(magic)+5:]
	m = &Model{labels: k}
	take := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(int8(b[i])) / 127 * top
		}
		b = b[n:]
		return out
	}
	m.follow, m.first, m.last = take(k*k), take(k), take(k)
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
	m.weights = take(int(n) * k)
	if len(b) != 0 {
		return nil, ErrModel
	}
	return m, nil
}
