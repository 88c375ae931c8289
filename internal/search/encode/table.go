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

// Table is the vectors of words, eight bits a coordinate with a scale for each.
type Table struct {
	Provenance
	Dimensions int
	Words      []string  // stems
	Scales     []float32 // what a step of a word's coordinates is worth
	Codes      []int8    // Dimensions for each word
	hash       string    // of the bytes it was read from
}

// Provenance says what a table was learned from.
type Provenance struct {
	Model   string   `json:"model"`
	Made    string   `json:"made_by"`
	Licence string   `json:"licence"`
	Sources []Source `json:"sources"`
}

// Source is a file that was learned from.
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
	// Bounds of what is read.
	mostDimensions = 4096
	mostWords      = 1 << 20
)

// ErrForm says that bytes are no table, or not a whole one.
var ErrForm = errors.New("encode: not a table of vectors")

// Read reads a table.
func Read(data []byte) (*Table, error) {
	if len(data) < len(magic)+sha256.Size || string(data[:len(magic)]) != magic {
		return nil, ErrForm
	}
	body, told := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	sum := sha256.Sum256(body)
	if !bytes.Equal(sum[:], told) {
		return nil, fmt.Errorf("%w: its hash is another", ErrForm)
	}
	line, rest, ok := bytes.Cut(body[len(magic):], []byte("\n"))
	var h head
	if err := json.Unmarshal(line, &h); !ok || err != nil {
		return nil, fmt.Errorf("%w: its head cannot be read: %w", ErrForm, err)
	}
	if h.Dimensions < 1 || h.Dimensions > mostDimensions || h.Words < 1 || h.Words > mostWords {
		return nil, fmt.Errorf("%w: %d words of %d dimensions", ErrForm, h.Words, h.Dimensions)
	}
	t := &Table{Provenance: h.Provenance, Dimensions: h.Dimensions, hash: hex.EncodeToString(sum[:6])}
	if rest, ok = t.readWords(rest, h.Words); !ok || len(rest) != h.Words*(4+h.Dimensions) {
		return nil, fmt.Errorf("%w: %d words of %d dimensions are announced, and are not there", ErrForm, h.Words, h.Dimensions)
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

// Name is the model's, with the hash of the table.
func (t *Table) Name() string { return strings.TrimSpace(t.Model) + "-" + t.hash }

// add adds the vector of word n to sum.
func (t *Table) add(sum []float32, n uint32) {
	scale := t.Scales[n]
	codes := t.codes(n)
	for k, c := range codes {
		sum[k] += scale * float32(c)
	}
}

// codes are the coordinates of word n, in steps of its scale.
func (t *Table) codes(n uint32) []int8 { return t.Codes[int(n)*t.Dimensions:][:t.Dimensions] }

// product is the sum of the products of the coordinates.
func product(a, b []int8) (sum int32) {
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}
