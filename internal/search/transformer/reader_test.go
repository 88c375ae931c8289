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
	_, score, end := x.Begin(t.Context(), "ab", len(texts))
	defer end()
	all := score(texts)
	if len(all) != len(texts) {
		t.Fatal(all)
	}
	for i, text := range texts {
		if got, err := x.Score(t.Context(), x.Ask("ab"), text); err != nil || got != all[i] {
			t.Errorf("%q: %v alone, %v with others, %v", text, got, all[i], err)
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

// TestReaderShares checks that questions which wait for each other, or have little time, are read with fewer texts each.
func TestReaderShares(t *testing.T) {
	t.Parallel()
	whole, base := smallReader(t, nil)
	x, err := ReadReader(whole, base)
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Repeat([]string{"ab"}, 12)
	for others, want := range []int{12, 6, 4, 4} {
		limit, _, end := x.Begin(t.Context(), "ab", len(texts)) // goes on while the next begin
		t.Cleanup(end)
		if limit != want {
			t.Errorf("beside %d others %d texts may be read, want %d", others, limit, want)
		}
	}
	cores := time.Duration(runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		name  string
		pace  time.Duration
		taken int           // texts of others
		idle  time.Duration // since the pace was measured
		want  int
	}{
		{"fast", cores * time.Second / 100, 0, 0, 12},
		{"slow", cores * time.Second / 3, 0, 0, 3},
		{"too slow", 2 * cores * time.Second, 0, 0, 0},
		{"beside others", cores * time.Second / 8, 5, 0, 3},
		{"beside too many", cores * time.Second / 8, 9, 0, 0},
		{"slow, a while ago", 2 * cores * time.Second, 0, 2 * paceLife, 2},
		{"slow, long ago: as at the start", 2 * cores * time.Second, 0, time.Hour, 10},
	} {
		x := &Reader{first: cores * time.Second / 10, pace: c.pace, measured: time.Now().Add(-c.idle), texts: c.taken}
		if c.pace < x.first {
			x.first = c.pace
		}
		if got := x.admit(12, time.Second); got != c.want {
			t.Errorf("%s: %d texts, want %d", c.name, got, c.want)
		}
	}
}

// TestReaderStops checks that no text is read when the time is over, and that this teaches no pace.
func TestReaderStops(t *testing.T) {
	t.Parallel()
	whole, base := smallReader(t, nil)
	x, err := ReadReader(whole, base)
	if err != nil {
		t.Fatal(err)
	}
	x.Measure()
	first := x.pace
	ended, cancel := context.WithCancel(t.Context())
	_, score, end := x.Begin(ended, "ab", 2)
	defer end()
	cancel()
	if read := score([]string{"ab", "ba"}); len(read) != 0 || first <= 0 || x.pace < first {
		t.Errorf("%v read after the end, pace %v, then %v", read, first, x.pace)
	}
	if v, err := base.Encode(ended, "ab"); !errors.Is(err, context.Canceled) {
		t.Errorf("encoded %v after the end: %v", v, err)
	}
}

// FuzzReadReader checks that no file makes ReadReader panic, and that every reader can read.
func FuzzReadReader(f *testing.F) {
	whole, base := smallReader(f, nil)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(ReaderMagic + "\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := ReadReader(data, base); err == nil {
			if _, err := x.Score(context.Background(), x.Ask("ab"), "ba"); err != nil {
				t.Error(err)
			}
		}
	})
}
