package transformer

import (
	"testing"
	"unicode/utf8"
)

// FuzzRead checks that no file makes Read panic, and that every model that it returns can
// encode texts.
func FuzzRead(f *testing.F) {
	whole := small(f, nil)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(Magic + "\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, h, err := Read(data)
		if err != nil || h.Hidden > 1024 {
			return
		}
		if v := encode(m, "ab"); len(v) != h.Hidden {
			t.Errorf("%d coordinates of %d", len(v), h.Hidden)
		}
	})
}

// FuzzPieces checks that the pieces of a text without unknown characters concatenate to the
// text.
func FuzzPieces(f *testing.F) {
	p := Index(Pieces{Names: []string{"<s>", "</s>", "<unk>", "▁", "a", "b", "▁ab", "é"}, Scores: []float32{0, 0, 0, -2, -3, -4, -1, -9}, Begin: 0, End: 1, Lost: 2})
	for _, text := range []string{"", "ab", " a  b ", "é\xffb", "</s>", "\u2581a", "中文"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written, lost := "", false
		for _, id := range p.Of(text) {
			written, lost = written+p.Names[id], lost || int(id) == p.Lost
		}
		if normal := p.normalize(text); !lost && written != normal {
			t.Errorf("%q is written %q, not %q", text, written, normal)
		}
		if text != "" && !utf8.ValidString(p.normalize(text)) {
			t.Errorf("%q: not UTF-8", text)
		}
	})
}
