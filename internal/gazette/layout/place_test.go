package layout

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"vigueur/internal/law"
)

// A rectangle on a turned page is where a reader who turns the page sees it.
func TestUnturn(t *testing.T) {
	t.Parallel()
	const width, height = 600.0, 800.0
	// The first letters of a text are in the upper left corner of the page as it is read.
	for turn, corner := range map[Rotation]law.Rect{Upright: {0, 0, 10, 5}, Down: {width - 5, 0, width, 10}, Over: {width - 10, height - 5, width, height}, Up: {0, height - 10, 5, height}} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			t.Parallel()
			if got := Unturn(corner, turn, width, height); got != (law.Rect{0, 0, 10, 5}) {
				t.Errorf("unturned %v", got)
			}
			if got := Rotate(law.Rect{0, 0, 10, 5}, turn, width, height); got != corner {
				t.Errorf("turned %v, want %v", got, corner)
			}
		})
	}
	if r := (law.Rect{1, 2, 3, 4}); Unturn(r, Askew, width, height) != r || Rotate(r, Askew, width, height) != r {
		t.Error("askew text has no upright place")
	}
}

// Leaning forward and back changes nothing, preserves sizes, and turns clockwise about the center.
func TestLean(t *testing.T) {
	t.Parallel()
	r := law.Rect{500, 390, 520, 410}
	for _, degrees := range []float64{-3, 0, 0.5, 2, 45, 90} {
		t.Run(fmt.Sprint(degrees), func(t *testing.T) {
			t.Parallel()
			leant := Lean(r, degrees, 600, 800)
			back := Lean(leant, -degrees, 600, 800)
			for k := range r {
				if math.Abs(back[k]-r[k]) > 1e-9 {
					t.Fatalf("back at %v", back)
				}
			}
			if math.Abs(leant[2]-leant[0]-20) > 1e-9 || math.Abs(leant[3]-leant[1]-20) > 1e-9 || degrees > 0 && leant[1] <= r[1] || degrees < 0 && leant[1] >= r[1] {
				t.Errorf("what is right of the middle is at %v", leant)
			}
		})
	}
}

func TestTextOfALine(t *testing.T) {
	t.Parallel()
	for want, words := range map[string][]string{"": nil, "Loi": {"Loi"}, "Loi n° 12": {"Loi", "n°", "12"}} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			var l Line
			for _, w := range words {
				l.Words = append(l.Words, Word{Text: w})
			}
			if got := l.Text(); got != want {
				t.Errorf("%q", got)
			}
		})
	}
}

// Encoding preserves words, with places rounded to hundredths of a point.
func TestEncodingKeepsWords(t *testing.T) {
	t.Parallel()
	words := []Word{
		{Text: "Loi", Rect: law.Rect{1.234, -5.678, 1e6, 0}, Size: 9.5},
		{Text: "é\u00a0ï", Bold: true, Turn: Up}, {Text: "x", Ital: true, Turn: Askew}, {Text: "y", Bold: true, Ital: true, Turn: Over},
	}
	b := AppendWords([]byte("before"), words)
	got, err := ReadWords(bytes.TrimPrefix(b, []byte("before")))
	if err != nil || len(got) != len(words) {
		t.Fatalf("%d words, %v", len(got), err)
	}
	words[0].Rect = law.Rect{1.23, -5.68, 1e6, 0}
	for i := range words {
		if got[i] != words[i] {
			t.Errorf("%+v, want %+v", got[i], words[i])
		}
	}
	if none, err := ReadWords(AppendWords(nil, nil)); err != nil || len(none) != 0 {
		t.Errorf("no words: %v, %v", none, err)
	}
}

func TestInvalidEncodings(t *testing.T) {
	t.Parallel()
	whole := AppendWords(nil, []Word{{Text: "Loi"}, {Text: "du"}})
	for name, b := range map[string][]byte{
		"nothing": nil, "cut": whole[:len(whole)-1], "more than there is": append(bytes.Clone(whole), 0), "a word less": append([]byte{1}, whole[1:]...), "a word more": append([]byte{3}, whole[1:]...),
		"a word without letters": AppendWords(nil, []Word{{Text: ""}}), "letters that are none": AppendWords(nil, []Word{{Text: "a\xff"}}),
		"turned in a way that is none": AppendWords(nil, []Word{{Text: "a", Turn: Askew + 1}}), "more words than bytes": {0xff, 0xff, 0xff, 0xff, 0x0f},
		"a length beyond the end": {1, 0xff, 0xff, 0x03, 'a', 0, 0, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if words, err := ReadWords(b); !errors.Is(err, ErrWords) || words != nil {
				t.Errorf("%+v, %v", words, err)
			}
		})
	}
}
