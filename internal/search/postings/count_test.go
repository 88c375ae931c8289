package postings

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCountsArePacked(t *testing.T) {
	t.Parallel()
	for in, want := range map[Count]Count{
		{}: {}, {Body: 1}: {Body: 1}, {Heads: 1}: {Heads: 1}, {Body: MaxBody, Heads: 7}: {Body: MaxBody, Heads: 7},
		{Body: MaxBody + 1, Heads: 7}: {Body: MaxBody, Heads: 7}, {Body: math.MaxUint32, Heads: 1 << 20}: {Body: MaxBody, Heads: 1 << 20},
	} {
		t.Run(fmt.Sprint(in), func(t *testing.T) {
			t.Parallel()
			if got := Unpack(in.Pack()); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	if got := (Count{3, 4}).Total(); got != 7 {
		t.Errorf("total %v", got)
	}
}

// A share is stored in half of its bits, with an error below one percent.
func TestShareEncoding(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(41, 42))
	for range 10_000 {
		x := float32(math.Exp(r.Float64()*20 - 15))
		if got := shareOf(x).Value(); got > x || float64(got) < 0.99*float64(x) {
			t.Fatalf("%v is kept as %v", x, got)
		}
	}
}

// A caller may stop reading postings.
func TestPostingsStopWhenAsked(t *testing.T) {
	t.Parallel()
	x, passages := randomList(rand.New(rand.NewPCG(43, 44)), 500, 9)
	s := &Segment{terms: []Term{x}}
	for _, want := range []int{1, BatchSize, BatchSize + 1, 500} {
		var got []uint32
		for p := range s.Postings(0) {
			if got = append(got, p); len(got) == want {
				break
			}
		}
		if !slices.Equal(got, passages[:want]) {
			t.Errorf("the first %d: %v", want, got)
		}
	}
}

// A cursor fills each batch.
func TestFillFillsBatches(t *testing.T) {
	t.Parallel()
	x, _ := randomList(rand.New(rand.NewPCG(45, 46)), 2*BatchSize+5, 300)
	s := &Segment{terms: []Term{x}}
	c := s.Cursor(0, 0.5)
	if c.Likeness != 0.5 {
		t.Errorf("likeness %v", c.Likeness)
	}
	var room [BatchSize]Posting
	for _, want := range []int{BatchSize, BatchSize, 5, 0, 0} {
		if got := c.Fill(ended, &room); got != want {
			t.Errorf("%d postings, want %d", got, want)
		}
	}
}

// Numbers of one, two and more bytes are read as they were written, and truncated numbers are refused.
func TestVarints(t *testing.T) {
	t.Parallel()
	for _, n := range []uint64{0, 1, 127, 128, 129, 16383, 16384, 1 << 20, math.MaxUint32} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			list := append(binary.AppendUvarint([]byte{9}, n), 9)
			if got, next := varint(list, 1); got != n || next != len(list)-1 {
				t.Errorf("%d up to %d", got, next)
			}
			if got, next := safeVarint(list, 1); got != n || next != len(list)-1 {
				t.Errorf("with a check: %d up to %d", got, next)
			}
			for cut := 1; cut < len(list)-1; cut++ {
				if _, next := safeVarint(list[:cut], 1); next > 0 {
					t.Errorf("the first %d bytes are a number", cut-1)
				}
			}
		})
	}
}

// Short lists have no skips. Others have one after every skipEach postings, at the position of its posting.
func TestSkipPositions(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, fewest - 1, fewest, fewest + 1, 5*skipEach - 1, 5 * skipEach} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			x, passages := randomList(rand.New(rand.NewPCG(47, uint64(n))), n, 500)
			skips, ok := x.makeSkips(math.MaxUint32)
			want := n / skipEach
			if n < fewest {
				want = 0
			}
			if !ok || len(skips) != want {
				t.Fatalf("%d skips, want %d; %v", len(skips), want, ok)
			}
			for i, s := range skips {
				passage := passages[(i+1)*skipEach-1]
				if packed, _ := varint(x.postings, int(s.at)); s.passage != passage || Unpack(packed) != (Count{passage % 50, passage % 300}) {
					t.Errorf("skip %d is at passage %d, want %d", i, s.passage, passage)
				}
			}
		})
	}
}
