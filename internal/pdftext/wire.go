package pdftext

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"vigueur/internal/page"
)

// The words of a page cross from the child to the parent in a frame of their own,
// a word after the other: its text's length and bytes, its box and size in
// hundredths of a point as signed varints, and a byte for how it is set. As JSON
// they would cost both sides more than all the rest that is done with a page.
const (
	setBold   = 1 << 3
	setItalic = 1 << 4
	turnMask  = setBold - 1
)

// leastWord is the fewest bytes that a word takes: what a frame promises more than
// its length has room for is refused before memory is taken for it.
const leastWord = 8

// appendWords adds the words to b.
func appendWords(b []byte, words []page.Word) []byte {
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
		b = append(b, set)
	}
	return b
}

// wordsOf is what appendWords wrote; the error is an errFrame when b is nothing of
// the kind.
func wordsOf(b []byte) ([]page.Word, error) {
	in := wire{rest: b}
	n := in.uint()
	if n > uint64(len(b)/leastWord) {
		return nil, fmt.Errorf("%w: %d words in %d bytes", errFrame, n, len(b))
	}
	out := make([]page.Word, n)
	for i := range out {
		w := &out[i]
		w.Text = string(in.bytes(in.uint()))
		for k := range w.Rect {
			w.Rect[k] = in.hundredths()
		}
		w.Size = in.hundredths()
		set := in.byte()
		w.Turn, w.Bold, w.Ital = page.Turn(set&turnMask), set&setBold != 0, set&setItalic != 0
		if w.Text == "" || !utf8.ValidString(w.Text) || w.Turn > page.Askew {
			in.bad = true
		}
	}
	if in.bad || len(in.rest) > 0 {
		return nil, fmt.Errorf("%w: words", errFrame)
	}
	return out, nil
}

// wire reads values off the front of bytes; once one is missing it is bad, and
// gives zeros.
type wire struct {
	rest []byte
	bad  bool
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

// taken is how many bytes a varint took, or more than there can be when it was
// none.
func taken(n int) uint64 {
	if n <= 0 {
		return math.MaxUint64
	}
	return uint64(n)
}

// writePage sends a page: itself, then its words.
func writePage(w io.Writer, p page.Page) error {
	words := p.Words
	p.Words = nil
	if err := writeJSON(w, reply{Page: &p}); err != nil {
		return err
	}
	return writeFrame(w, kindWords, appendWords(nil, words))
}

// readPage receives what writePage sent, or a reply without a page.
func readPage(r io.Reader) (*page.Page, error) {
	var got reply
	if err := readJSON(r, &got); err != nil || got.Page == nil {
		return nil, err
	}
	b, err := readFrame(r, kindWords, maxFrame)
	if err != nil {
		return nil, err
	}
	got.Page.Words, err = wordsOf(b)
	return got.Page, err
}
