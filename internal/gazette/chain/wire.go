package chain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The encoding of a model: magic, number of labels, scale, the weights of pairs, first and last labels, the
// number of features, the differences between their hashes in increasing order, and their weights. A weight
// is one byte, in units of a 127th of the scale. lab/training/labeling writes it.
const magic = "CRF1"

// mostFeatures is more than any reasonable model has.
const mostFeatures = 1 << 20

// ErrModel reports bytes that encode no model.
var ErrModel = errors.New("invalid model")

// Read decodes a model. It returns ErrModel for anything else.
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
