package layout

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Words are stored and sent as a sequence. A word is the length and the bytes of its text, its box and size
// in hundredths of a point as signed varints, and a byte for its style and turn. As JSON, words would take more
// time than everything else that is done with a page.
const (
	setBold    = 1 << 3
	setItalic  = 1 << 4
	setCovered = 1 << 5
	turnMask   = setBold - 1
)

// leastWord is the minimum number of bytes of an encoded word. With it, ReadWords refuses a claimed number of words
// that cannot fit into the input, before it allocates memory for the words.
const leastWord = 8

// ErrWords reports bytes that AppendWords did not write.
var ErrWords = errors.New("invalid encoding of words")

// AppendWords appends words to b. Places and sizes are rounded to hundredths of a point.
func AppendWords(b []byte, words []Word) []byte {
	b = binary.AppendUvarint(b, uint64(len(words)))
	for _, w := range words {
		b = binary.AppendUvarint(b, uint64(len(w.Text)))
		b = append(b, w.Text...)
		for _, x := range [...]float64{w.Rect[0], w.Rect[1], w.Rect[2], w.Rect[3], w.Size} {
			b = binary.AppendVarint(b, int64(math.Round(x*100)))
		}
		set := byte(w.Turn) & turnMask
		if w.Bold {
			set |= setBold
		}
		if w.Ital {
			set |= setItalic
		}
		if w.Covered {
			set |= setCovered
		}
		b = append(b, set)
	}
	return b
}

// ReadWords reads what AppendWords wrote. It returns ErrWords for anything else.
func ReadWords(b []byte) ([]Word, error) {
	in := wire{rest: b, all: string(b)}
	n := in.uint()
	if n > uint64(len(b)/leastWord) {
		return nil, fmt.Errorf("%w: %d in %d bytes", ErrWords, n, len(b))
	}
	out := make([]Word, n)
	for i := range out {
		w := &out[i]
		w.Text = in.text(in.uint())
		for k := range w.Rect {
			w.Rect[k] = in.hundredths()
		}
		w.Size = in.hundredths()
		set := in.byte()
		w.Turn, w.Bold, w.Ital, w.Covered = Turn(set&turnMask), set&setBold != 0, set&setItalic != 0, set&setCovered != 0
		if w.Text == "" || !utf8.ValidString(w.Text) || w.Turn > Askew {
			in.bad = true
		}
	}
	if in.bad || len(in.rest) > 0 {
		return nil, ErrWords
	}
	return out, nil
}

// wire reads values from the front of bytes. When one is missing, it sets bad and returns zero values.
type wire struct {
	rest []byte
	all  string // the whole input; texts share its memory
	bad  bool
}

func (w *wire) text(n uint64) string {
	at := len(w.all) - len(w.rest)
	return w.all[at:][:len(w.bytes(n))]
}

func (w *wire) bytes(n uint64) []byte {
	if n > uint64(len(w.rest)) {
		w.rest, w.bad = nil, true
		return nil
	}
	b := w.rest[:n]
	w.rest = w.rest[n:]
	return b
}

func (w *wire) byte() byte {
	if b := w.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (w *wire) uint() uint64 {
	v, n := binary.Uvarint(w.rest)
	w.bytes(taken(n))
	return v
}

func (w *wire) hundredths() float64 {
	v, n := binary.Varint(w.rest)
	w.bytes(taken(n))
	return float64(v) / 100
}

// taken returns n, the number of bytes of a varint. If no varint could be read, it returns a number that is larger
// than any input, so that bytes sets bad.
func taken(n int) uint64 {
	if n <= 0 {
		return math.MaxUint64
	}
	return uint64(n)
}
