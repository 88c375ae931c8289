package labeling

import (
	"cmp"
	"encoding/binary"
	"io"
	"maps"
	"math"
	"slices"

	"vigueur/internal/gazette/chain"
)

// magic begins the encoding of a model, which chain describes.
const magic = "CRF1"

// mostKept is the most features that are written. With twenty labels they take less than a megabyte.
const mostKept = 46_000

// Write writes a model as chain.Read reads it: the features with the largest weights, rounded to 8 bits.
func Write(w io.Writer, model *chain.Model) error {
	m := model.Parts()
	top := float32(0)
	for _, v := range slices.Concat(m.Weights, m.Follow, m.First, m.Last) {
		top = max(top, v, -v)
	}
	if top == 0 {
		top = 1
	}
	b := append([]byte(magic), byte(m.Labels))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(top))
	for _, part := range [][]float32{m.Follow, m.First, m.Last} {
		for _, v := range part {
			b = append(b, byte(rounded(v, top)))
		}
	}
	for _, barred := range m.Barred {
		b = append(b, map[bool]byte{true: 1}[barred])
	}
	hashes := heaviest(m, mostKept)
	b = binary.AppendUvarint(b, uint64(len(hashes)))
	before := uint32(0)
	for _, f := range hashes {
		b = binary.AppendUvarint(b, uint64(f-before))
		before = f
	}
	for _, f := range hashes {
		for _, v := range row(m, m.Index[f]) {
			b = append(b, byte(rounded(v, top)))
		}
	}
	_, err := w.Write(b)
	return err
}

// heaviest returns the hashes of the n features with the largest weights, in increasing order.
func heaviest(m chain.Parts, n int) []uint32 {
	weigh := func(f uint32) float32 {
		of := row(m, m.Index[f])
		return max(slices.Max(of), -slices.Min(of))
	}
	hashes := slices.Sorted(maps.Keys(m.Index))
	slices.SortStableFunc(hashes, func(a, b uint32) int { return cmp.Compare(weigh(b), weigh(a)) })
	hashes = hashes[:min(n, len(hashes))]
	slices.Sort(hashes)
	return hashes
}

// row returns the weights of a feature.
func row(m chain.Parts, at int32) []float32 {
	return m.Weights[int(at)*m.Labels : (int(at)+1)*m.Labels]
}

func rounded(v, top float32) int8 { return int8(math.Round(float64(v / top * 127))) }
