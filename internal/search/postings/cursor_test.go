package postings

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomList returns a term of n postings at random distances, and its passages.
func randomList(r *rand.Rand, n, distance int) (x Term, passages []uint32) {
	pos := uint32(0)
	for i := range n {
		gap := uint32(r.IntN(distance))
		if i > 0 {
			gap++
		}
		pos += gap
		x.postings = binary.AppendUvarint(x.postings, uint64(gap))
		x.postings = binary.AppendUvarint(x.postings, Count{pos % 50, pos % 300}.Pack())
		passages = append(passages, pos)
	}
	x.passages = uint32(n)
	return x, passages
}

// After any skipping, a cursor returns every posting between from and to once, with its count.
func TestCursorReturnsRange(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		x, passages := randomList(r, r.IntN(3000), []int{1, 3, 300, 90_000}[r.IntN(4)])
		skips, ok := x.makeSkips(1 << 40)
		if !ok || (skips != nil) != (len(passages) >= fewest) {
			t.Fatalf("%d postings: %d skips, %v", len(passages), len(skips), ok)
		}
		s := &Segment{terms: []Term{x}, skips: map[uint32][]skip{0: skips}}
		c := s.Cursor(0, 1)
		last := uint32(1)
		if len(passages) > 0 {
			last += passages[len(passages)-1]
		}
		for start := uint32(0); start <= last; {
			start += r.Uint32N(last)
			end := start + r.Uint32N(last)
			var got []uint32
			var room [BatchSize]Posting
			c.Seek(start)
			for n := c.Fill(end, &room); n > 0; n = c.Fill(end, &room) {
				for _, p := range room[:n] {
					got = append(got, p.Passage)
					if c := Unpack(uint64(p.Packed)); c != (Count{p.Passage % 50, p.Passage % 300}) {
						t.Fatalf("passage %d: %v", p.Passage, c)
					}
				}
			}
			if want := between(passages, start, end); !slices.Equal(got, want) {
				t.Fatalf("from %d to %d: %v, want %v", start, end, got, want)
			}
			start = end
		}
	}
}

func between(passages []uint32, start, end uint32) []uint32 {
	a, _ := slices.BinarySearch(passages, start)
	b, _ := slices.BinarySearch(passages, end)
	return slices.Clone(passages[a:b])
}

func TestCursorOfNoTermIsEmpty(t *testing.T) {
	t.Parallel()
	s := &Segment{}
	c := s.Cursor(NoTerm, 1)
	c.Seek(7)
	if n := c.Fill(ended, new([BatchSize]Posting)); n != 0 {
		t.Errorf("%d postings", n)
	}
}

// Postings are refused if they contain passages that do not exist, end within a number, or have another number than
// they say.
func TestMakeSkipsRefusesMalformed(t *testing.T) {
	t.Parallel()
	x, passages := randomList(rand.New(rand.NewPCG(7, 8)), 600, 9)
	end := uint64(passages[599]) + 1
	if skips, ok := x.makeSkips(end); !ok || len(skips) != 600/skipEach {
		t.Errorf("%d skips, %v", len(skips), ok)
	}
	cut, more, fewer, huge := x, x, x, x
	cut.postings = cut.postings[:len(cut.postings)-1]
	more.passages++
	fewer.passages--
	huge.passages = 1 << 31
	for name, broken := range map[string]Term{"cut": cut, "more": more, "fewer": fewer, "huge": huge,
		"never ends": {postings: []byte{0x80, 0x80}, passages: 1}, "far": {postings: append(binary.AppendUvarint(nil, 1<<63), 1), passages: 1}} {
		t.Run(name, func(t *testing.T) {
			if _, ok := broken.makeSkips(end); ok {
				t.Errorf("%s: taken", name)
			}
		})
	}
	if _, ok := x.makeSkips(end - 1); ok {
		t.Error("a passage that there is not: taken")
	}
}
