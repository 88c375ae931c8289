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
	"context"
	_ "embed" // the table
	"math"
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
func (e *Encoder) Nearest(stem string, among []string) float64 {
	n, ok := e.number[stem]
	if !ok || e.lengths[n] == 0 {
		return 0
	}
	best, own := float32(0), e.table.codes(n)
	for _, other := range among {
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
	by := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) * by)
	}
	return true
}
