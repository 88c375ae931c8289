package encode

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
)

// What the laboratory needs to write a table.

// Quantize returns the table of vectors, which follow one another as the words do.
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

// Bytes returns a table as Read takes it: a line that says what it is, one of JSON
// that says what it was learned from, the words, one a line, a scale for each, the
// coordinates, and the hash of all that.
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
		_ = binary.Write(&b, binary.LittleEndian, s) // a buffer takes all
	}
	_ = binary.Write(&b, binary.LittleEndian, t.Codes)
	sum := sha256.Sum256(b.Bytes())
	return append(b.Bytes(), sum[:]...), nil
}
