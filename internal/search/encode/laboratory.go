package encode

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
)

// The functions by which the laboratory writes a table.

// Quantize returns a table of words. vectors holds the vectors of all words, one after
// another, in the order of words.
func Quantize(p Provenance, words []string, vectors []float32) *Table {
	d := len(vectors) / max(1, len(words))
	t := &Table{Provenance: p, Dimensions: d, Words: words, Scales: make([]float32, len(words)), Codes: make([]int8, len(vectors))}
	for i := range words {
		v := vectors[i*d : (i+1)*d]
		most := float32(0)
		for _, x := range v {
			most = max(most, x, -x)
		}
		if most == 0 {
			continue
		}
		t.Scales[i] = most / math.MaxInt8
		for k, x := range v {
			t.Codes[i*d+k] = int8(math.Round(float64(x / t.Scales[i])))
		}
	}
	return t
}

// Bytes encodes a table for Read: a line with the name and version of the format, a line of
// JSON with the provenance and the sizes, the words, one per line, the scales, the codes,
// and the SHA-256 of everything before it.
func (t *Table) Bytes() ([]byte, error) {
	line, err := json.Marshal(head{t.Provenance, t.Dimensions, len(t.Words)})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write(line)
	b.WriteByte('\n')
	for _, w := range t.Words {
		b.WriteString(w)
		b.WriteByte('\n')
	}
	for _, s := range t.Scales {
		_ = binary.Write(&b, binary.LittleEndian, s) // writing to a buffer never fails
	}
	_ = binary.Write(&b, binary.LittleEndian, t.Codes)
	sum := sha256.Sum256(b.Bytes())
	return append(b.Bytes(), sum[:]...), nil
}
