package transformer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
)

// small returns a file of weights of the smallest valid size. change may change its header.
func small(tb testing.TB, change func(*Header)) []byte {
	tb.Helper()
	h := Header{Shape: Shape{Hidden: 32, Layers: 1, Heads: 1, Inner: 32, Positions: 8, Epsilon: 1e-12},
		Pieces: Pieces{Names: []string{"<s>", "</s>", "<unk>", "▁", "a", "b", "▁ab"}, Scores: []float32{0, 0, 0, -2, -3, -4, -1}, Begin: 0, End: 1, Lost: 2}}
	if change != nil {
		change(&h)
	}
	head, err := json.Marshal(h)
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString(Magic)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(head))))
	b.Write(head)
	square := 32*blockBytes + 32*4
	b.Write(bytes.Repeat([]byte{0, 0x3c, 0x1f, 0x2e}, (7*blockBytes+8*32*2+2*32*4+6*square+4*32*4)/4+1)[:7*blockBytes+8*32*2+2*32*4+6*square+4*32*4])
	return b.Bytes()
}

func TestRead(t *testing.T) {
	t.Parallel()
	whole := small(t, nil)
	m, _, err := Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	if v := encode(m, "ab"); len(v) != 32 {
		t.Errorf("%d coordinates", len(v))
	}
	for n := range whole {
		if n%7 == 0 {
			if _, _, err := Read(whole[:n]); err == nil {
				t.Fatalf("%d of %d bytes are read", n, len(whole))
			}
		}
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "another file": []byte("%PDF-1.7"), "too long": append(small(t, nil), 0),
		"no pieces":            small(t, func(h *Header) { h.Pieces.Names = nil }),
		"a score too few":      small(t, func(h *Header) { h.Pieces.Scores = h.Pieces.Scores[1:] }),
		"no such piece":        small(t, func(h *Header) { h.Pieces.End = 7 }),
		"no heads":             small(t, func(h *Header) { h.Heads = 0 }),
		"heads that do not go": small(t, func(h *Header) { h.Heads = 3 }),
		"a huge size":          small(t, func(h *Header) { h.Layers = 1 << 30 }),
		"no place for a word":  small(t, func(h *Header) { h.Positions = 2 }),
		"sizes of no block":    small(t, func(h *Header) { h.Inner = 33 }),
	} {
		if _, _, err := Read(data); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	p := Index(Pieces{Names: []string{"<s>", "</s>", "<unk>", "▁", "a", "b", "▁ab"}, Scores: []float32{0, 0, 0, -2, -3, -4, -1}, Lost: 2, Norm: map[rune]string{'Ａ': "a", '\u00a0': " ", '\u200b': ""}})
	for text, want := range map[string]string{
		"ab": "▁ab", " ab": "▁ab", "a  b": "▁ a ▁ b", "ba": "▁ b a", "aé": "▁ a <unk>", "": "▁", "Ａb": "▁ab", "ab\u00a0ab": "▁ab ▁ab",
		"\u200bab": "▁ab", "<s>": "▁ <unk> <unk> <unk>", "\xff": "▁ <unk>",
	} {
		var got []string
		for _, id := range p.Of(text) {
			got = append(got, p.Names[id])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLongTexts checks that pieces beyond the model's positions are ignored.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	m, _, err := Read(small(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	long, cut := encode(m, strings.Repeat("ab ", 400)), encode(m, strings.Repeat("ab ", 6))
	if dot(long, cut) < 0.99999 {
		t.Error("the end of a long text counts")
	}
}
