package transformer

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"
)

// smallReader returns a file with a reader of one layer for the model of small.
func smallReader(tb testing.TB, change func(*ReaderHeader)) ([]byte, *Model) {
	tb.Helper()
	base, _, err := Read(small(tb, nil))
	if err != nil {
		tb.Fatal(err)
	}
	h := ReaderHeader{Made: "test", Layers: 1, Tokens: 8}
	if change != nil {
		change(&h)
	}
	head, err := json.Marshal(h)
	if err != nil {
		tb.Fatal(err)
	}
	out := append([]byte(ReaderMagic), binary.LittleEndian.AppendUint32(nil, uint32(len(head)))...)
	out = append(out, head...)
	n := base.layerSize() + 4*(2*base.Hidden+1)
	return append(out, bytes.Repeat([]byte{0, 0x3c, 0x1f, 0x2e}, n/4+1)[:n]...), base
}

func TestReadReader(t *testing.T) {
	t.Parallel()
	whole, base := smallReader(t, nil)
	x, err := ReadReader(whole, base)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"ab", "ba", "b a b", "", "ab ab ab ab ab ab ab ab"}
	_, score, end := x.Begin("ab", len(texts))
	defer end()
	all, err := score(t.Context(), texts)
	if err != nil || len(all) != len(texts) {
		t.Fatalf("%v, %v", all, err)
	}
	for i, text := range texts {
		if got := x.Score(x.Ask("ab"), text); got != all[i] {
			t.Errorf("%q: %v alone, %v with others", text, got, all[i])
		}
	}
	for n := range whole {
		if _, err := ReadReader(whole[:n], base); err == nil {
			t.Fatalf("%d of %d bytes are read", n, len(whole))
		}
	}
	for name, change := range map[string]func(*ReaderHeader){
		"no layers": func(h *ReaderHeader) { h.Layers = 0 }, "too many layers": func(h *ReaderHeader) { h.Layers = 1 << 30 },
		"two layers": func(h *ReaderHeader) { h.Layers = 2 }, "no tokens": func(h *ReaderHeader) { h.Tokens = 0 }, "too many tokens": func(h *ReaderHeader) { h.Tokens = 9 },
	} {
		data, _ := smallReader(t, change)
		if _, err := ReadReader(data, base); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Questions that wait for each other are read with fewer texts each, and an ended context ends the reading.
func TestReaderShares(t *testing.T) {
	t.Parallel()
	whole, base := smallReader(t, nil)
	x, err := ReadReader(whole, base)
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Repeat([]string{"ab"}, 12)
	for others, want := range []int{12, 6, 4, 4} {
		limit, _, end := x.Begin("ab", len(texts)) // goes on while the next begin
		t.Cleanup(end)
		if limit != want {
			t.Errorf("beside %d others %d texts may be read, want %d", others, limit, want)
		}
	}
	limit, score, end := x.Begin("ab", 2)
	end()
	if limit != 2 {
		t.Errorf("%d of two texts may be read", limit)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := score(ended, texts); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	x.Budget = time.Second
	cores := time.Duration(runtime.GOMAXPROCS(0))
	for pace, want := range map[time.Duration][2]int{cores * time.Second / 100: {12, 4}, cores * time.Second / 2: {4, 2}, 2 * cores * time.Second: {4, 0}} {
		x.pace.Store(int64(pace))
		if alone, neighbor := x.share(12, 1), x.share(12, 5); alone != want[0] || neighbor != want[1] {
			t.Errorf("at %v a text: %d texts alone and %d beside four questions, want %v", pace, alone, neighbor, want)
		}
	}
}

// FuzzReadReader checks that no file makes ReadReader panic, and that every reader can read.
func FuzzReadReader(f *testing.F) {
	whole, base := smallReader(f, nil)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(ReaderMagic + "\x02\x00\x00\x00{}"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if x, err := ReadReader(data, base); err == nil {
			x.Score(x.Ask("ab"), "ba")
		}
	})
}
