package encode

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Table holds the vectors of words, with eight bits per coordinate and a scale for each
// word.
type Table struct {
	Provenance
	Dimensions int
	Words      []string  // stems
	Scales     []float32 // by word, the factor of its codes
	Codes      []int8    // the coordinates of all words, Dimensions for each, divided by the word's scale
	hash       string    // beginning of the hash of its bytes, in hexadecimal
}

// Provenance says what a table was learned from.
type Provenance struct {
	Model   string   `json:"model"`
	Made    string   `json:"made_by"`
	Licence string   `json:"licence"`
	Sources []Source `json:"sources"`
}

// Source is a file from which a table was learned.
type Source struct {
	File   string `json:"file"`
	Holds  string `json:"holds"`
	SHA256 string `json:"sha256"`
}

// head is the first line of a table's bytes.
type head struct {
	Provenance
	Dimensions int `json:"dimensions"`
	Words      int `json:"words"`
}

const (
	magic = "vigueur encoder 1\n"
	// Maximum dimension and maximum number of words of a table.
	mostDimensions = 4096
	mostWords      = 1 << 20
)

// ErrForm means that the bytes are not a valid table.
var ErrForm = errors.New("encode: not a table of vectors")

// Read decodes a table. It fails with ErrForm.
func Read(data []byte) (*Table, error) {
	if len(data) < len(magic)+sha256.Size || string(data[:len(magic)]) != magic {
		return nil, ErrForm
	}
	body, stored := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	sum := sha256.Sum256(body)
	if !bytes.Equal(sum[:], stored) {
		return nil, fmt.Errorf("%w: the hash does not match", ErrForm)
	}
	line, rest, ok := bytes.Cut(body[len(magic):], []byte("\n"))
	var h head
	if err := json.Unmarshal(line, &h); !ok || err != nil {
		return nil, fmt.Errorf("%w: the first line cannot be read: %w", ErrForm, err)
	}
	if h.Dimensions < 1 || h.Dimensions > mostDimensions || h.Words < 1 || h.Words > mostWords {
		return nil, fmt.Errorf("%w: %d words of %d dimensions", ErrForm, h.Words, h.Dimensions)
	}
	t := &Table{Provenance: h.Provenance, Dimensions: h.Dimensions, hash: hex.EncodeToString(sum[:6])}
	if rest, ok = t.readWords(rest, h.Words); !ok || len(rest) != h.Words*(4+h.Dimensions) {
		return nil, fmt.Errorf("%w: the %d words of %d dimensions are incomplete", ErrForm, h.Words, h.Dimensions)
	}
	if err := t.readVectors(rest, h.Words); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Table) readWords(data []byte, n int) (rest []byte, ok bool) {
	t.Words = make([]string, 0, n)
	for range n {
		word, after, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return nil, false
		}
		t.Words, data = append(t.Words, string(word)), after
	}
	return data, true
}

func (t *Table) readVectors(data []byte, n int) error {
	t.Scales, t.Codes = make([]float32, n), make([]int8, n*t.Dimensions)
	for i := range t.Scales {
		s := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if !(s >= 0 && s <= math.MaxFloat32/math.MaxInt16) {
			return fmt.Errorf("%w: the scale of %q is %v", ErrForm, t.Words[i], s)
		}
		t.Scales[i] = s
	}
	for i, b := range data[4*n:] {
		t.Codes[i] = int8(b)
	}
	return nil
}

// Name returns the name of the model, with the hash of the table.
func (t *Table) Name() string { return strings.TrimSpace(t.Model) + "-" + t.hash }

// add adds the vector of word n to sum.
func (t *Table) add(sum []float32, n uint32) {
	scale := t.Scales[n]
	codes := t.codes(n)
	for k, c := range codes {
		sum[k] += scale * float32(c)
	}
}

// codes returns the coordinates of word n, divided by its scale.
func (t *Table) codes(n uint32) []int8 { return t.Codes[int(n)*t.Dimensions:][:t.Dimensions] }

// product returns the dot product of two vectors of codes.
func product(a, b []int8) (sum int32) {
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}
