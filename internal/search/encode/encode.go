// Package encode is the built-in text encoder: each word has a learned vector, and the vector
// of a text is the normalized sum of its words' vectors.
//
// Words are the stems of package french, as in the search by words, without stop words,
// numbers and references. The weight of a word (its rarity, and how much it contributes) is
// part of its vector. The table of vectors is embedded; scripts/train encoder makes it, and
// README.md says from which files. Its name contains a hash of its bytes, so that vectors
// of different tables are never mixed.
//
// A text without any word of the table has no vector. At most mostBytes of a text are read,
// which bounds the time.
package encode

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the table
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
)

//go:embed weights.bin
var weights []byte

// mostBytes is the maximum number of bytes of a text that are read.
const mostBytes = 64 << 10

// Encoder makes vectors. It may be used by many goroutines.
type Encoder struct {
	table   *Table
	number  map[string]uint32 // by stem, its number in the table
	lengths []float32         // by number, the length of the word's vector, in units of its scale
	readers sync.Pool         // of *reader
}

// reader holds the buffers with which one goroutine analyzes a text.
type reader struct {
	analyzer french.Analyzer
	tokens   []french.Token
}

// New returns an encoder with the embedded table.
func New() (*Encoder, error) {
	t, err := Read(weights)
	if err != nil {
		return nil, err
	}
	return Of(t), nil
}

// Builtin returns the encoder of New, which it makes once and all callers share.
var Builtin = sync.OnceValues(New)

// Of returns the encoder of a table.
func Of(t *Table) *Encoder {
	e := &Encoder{table: t, number: make(map[string]uint32, len(t.Words)), lengths: make([]float32, len(t.Words))}
	for i, w := range t.Words {
		e.number[w] = uint32(i)
		codes := t.codes(uint32(i))
		e.lengths[i] = float32(math.Sqrt(float64(product(codes, codes))))
	}
	e.readers.New = func() any { return new(reader) }
	return e
}

// Name returns the name of the encoder; different tables have different names.
func (e *Encoder) Name() string { return e.table.Name() }

// Encode returns the vector of a text; false if the table has none of its words.
func (e *Encoder) Encode(text string) ([]float32, bool) {
	r, _ := e.readers.Get().(*reader)
	defer e.readers.Put(r)
	r.tokens = r.analyzer.Append(r.tokens[:0], text[:min(len(text), mostBytes)])
	sum := make([]float32, e.table.Dimensions)
	for i := range r.tokens {
		if !Counts(&r.tokens[i]) {
			continue
		}
		if n, ok := e.number[r.tokens[i].Term]; ok {
			e.table.add(sum, n)
		}
	}
	clear(r.tokens) // otherwise they would keep the text in memory
	return sum, normalize(sum)
}

// Nearest returns the greatest cosine of the vector of a stem and the vectors of the stems
// in among, from 0 to 1. It returns 0 if the stem, or all of among, have no vector.
func (e *Encoder) Nearest(stem string, known []string) float64 {
	n, ok := e.number[stem]
	if !ok || e.lengths[n] == 0 {
		return 0
	}
	best, own := float32(0), e.table.codes(n)
	for _, other := range known {
		if m, ok := e.number[other]; ok && e.lengths[m] > 0 {
			best = max(best, float32(product(own, e.table.codes(m)))/(e.lengths[n]*e.lengths[m]))
		}
	}
	return float64(best)
}

// Counts reports whether a token contributes to the vector of its text.
func Counts(t *french.Token) bool { return t.Kind == french.Word && !t.Stop }

// Embed returns the vector of each text. A text without a known word is an error of
// the kind errs.Unprocessable.
func (e *Encoder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, ok := e.Encode(text)
		if !ok {
			return nil, errs.New(errs.Unprocessable, "Aucun mot de ce texte n’est connu de l’encodeur.")
		}
		out[i] = v
	}
	return out, nil
}

// normalize scales v to length 1. It returns false if v is zero.
func normalize(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return false
	}
	factor := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) * factor)
	}
	return true
}

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
		word, following, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return nil, false
		}
		t.Words, data = append(t.Words, string(word)), following
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
