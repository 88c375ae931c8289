package law_test

import (
	"slices"
	"testing"

	"vigueur/internal/law"
)

// A line « Art. 36. — La durée légale » across the page. Each letter is ten points wide,
// and the gap between words is five.
var durationWords = []law.SetWord{{Bytes: 4, From: 100, To: 140}, {Bytes: 3, From: 145, To: 175}, {Bytes: 3, From: 180, To: 190},
	{Bytes: 2, From: 195, To: 215}, {Bytes: 6, From: 220, To: 270}, {Bytes: 7, From: 275, To: 335.25}}

const durationLine = "Art. 36. — La durée légale"

func durationSpan(start int) law.Span {
	rect := law.Rect{100, 50, 335.25, 62}
	return law.Span{Start: start, End: start + len(durationLine), Page: 3, Rect: rect, Words: law.PackWords(rect, false, durationWords)}
}

func TestALineIsMarkedByItsWords(t *testing.T) {
	s := durationSpan(10)
	for _, c := range []struct {
		name       string
		start, end int
		want       law.Rect // zero: no place
	}{
		{"all", 0, 99, law.Rect{100, 50, 335.25, 62}},
		{"exactly all", 10, 10 + len(durationLine), law.Rect{100, 50, 335.25, 62}},
		{"from a word on", 10 + len("Art. 36. — "), 99, law.Rect{195, 50, 335.25, 62}},
		{"up to a word", 0, 10 + len("Art. 36."), law.Rect{100, 50, 175, 62}},
		{"one word", 10 + len("Art. 36. — La "), 10 + len("Art. 36. — La durée"), law.Rect{220, 50, 270, 62}},
		{"a part of a word", 10 + len("Art. 36. — La du"), 10 + len("Art. 36. — La dur"), law.Rect{220, 50, 270, 62}},
		{"a space", 14, 15, law.Rect{}},
		{"before", 0, 10, law.Rect{}},
		{"behind", 10 + len(durationLine), 99, law.Rect{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := law.Regions([]law.Span{s}, c.start, c.end)
			if c.want == (law.Rect{}) {
				if len(got) != 0 {
					t.Errorf("%s: %v", c.name, got)
				}
				return
			}
			if len(got) != 1 || got[0] != (law.Region{Page: 3, Rect: c.want}) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		})
	}
}

// A part of a part is the same as the corresponding part of the whole.
func TestAPartOfAPart(t *testing.T) {
	s := durationSpan(0)
	for start := range len(durationLine) {
		for end := start + 1; end <= len(durationLine); end++ {
			part, ok := s.Within(start, end)
			if !ok {
				continue
			}
			for first := start; first < end; first++ {
				for last := first + 1; last <= end; last++ {
					if a, b := law.Regions([]law.Span{part}, first, last), law.Regions([]law.Span{s}, first, last); !slices.Equal(a, b) {
						t.Fatalf("[%d,%d) of [%d,%d): %v, want %v", first, last, start, end, a, b)
					}
				}
			}
		}
	}
}

func TestALineThatRunsDownThePage(t *testing.T) {
	rect := law.Rect{10, 100, 22, 200}
	s := law.Span{End: 9, Page: 1, Rect: rect, Words: law.PackWords(rect, true, []law.SetWord{{Bytes: 4, From: 100, To: 140}, {Bytes: 4, From: 150, To: 200}})}
	if got := law.Regions([]law.Span{s}, 5, 9); len(got) != 1 || got[0].Rect != (law.Rect{10, 150, 22, 200}) {
		t.Errorf("%v", got)
	}
}

// A span from an earlier version, without words, always has the place of its line.
func TestALineWithoutWords(t *testing.T) {
	s := durationSpan(0)
	s.Words = ""
	if got := law.Regions([]law.Span{s}, 5, 8); len(got) != 1 || got[0].Rect != s.Rect {
		t.Errorf("%v", got)
	}
	if law.PackWords(s.Rect, false, durationWords[:1]) != "" {
		t.Error("a single word is packed")
	}
}

// FuzzWords checks that any stored text gives a place on the span's page, and never more
// than one.
func FuzzWords(f *testing.F) {
	f.Add(string(durationSpan(0).Words), 3, 9)
	f.Add("AA", 0, 1)
	f.Add("AP//////////fw", 0, 4)
	f.Add("pas du base64", 2, 5)
	f.Add("0", 12, 3)
	f.Fuzz(func(t *testing.T, words string, start, end int) {
		s := law.Span{Start: 2, End: 20, Page: 7, Rect: law.Rect{1, 2, 3, 4}, Words: law.Words(words)}
		got := law.Regions([]law.Span{s}, start, end)
		if len(got) > 1 || len(got) == 1 && got[0].Page != 7 {
			t.Errorf("%v", got)
		}
		if part, ok := s.Within(start, end); ok && (part.Start < s.Start || part.End > s.End || part.Start > part.End) {
			t.Errorf("part %+v", part)
		}
	})
}
