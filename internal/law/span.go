package law

import (
	"encoding/base64"
	"encoding/binary"
	"math"
)

// Rect is left, top, right and bottom in PDF points, from the top left corner of the
// displayed page.
type Rect [4]float64

// Span assigns the bytes [Start,End) of a text to a place on a page: to a printed line, or
// to some words of it.
type Span struct {
	Start int   `json:"s"`
	End   int   `json:"e"`
	Page  int   `json:"p"`
	Rect  Rect  `json:"r"`
	Words Words `json:"w,omitempty"`
}

// Region is a highlighted place of a citation on a page.
type Region struct {
	Page int  `json:"page"`
	Rect Rect `json:"rect"`
}

// Regions returns the places of the bytes [start,end) of a text, in order. Of a line that
// they cover in part, only the covered words are included.
func Regions(spans []Span, start, end int) []Region {
	out := []Region{}
	for _, s := range spans {
		if part, ok := s.Within(start, end); ok {
			out = append(out, Region{Page: part.Page, Rect: part.Rect})
		}
	}
	return out
}

// Within returns the part of a span that the bytes [start,end) of its text cover. A word
// that is partly covered is included completely. ok is false if the bytes cover no word. If
// the places of the words are unknown, the part has the place of the whole span.
func (s Span) Within(start, end int) (Span, bool) {
	if start >= end || s.Start >= end || s.End <= start {
		return Span{}, false
	}
	if start <= s.Start && s.End <= end {
		return s, true
	}
	part := Span{Start: max(start, s.Start), End: min(end, s.End), Page: s.Page, Rect: s.Rect}
	words, down, ok := s.Words.unpack(s.Rect)
	if !ok {
		return part, true
	}
	var kept []SetWord
	first, last, at := 0, 0, s.Start
	for _, w := range words {
		from, to := max(at, part.Start), min(at+w.Bytes, part.End)
		at += w.Bytes + 1
		if from >= to {
			continue
		}
		if len(kept) == 0 {
			first = from
		}
		last = to
		kept = append(kept, SetWord{Bytes: to - from, From: w.From, To: w.To})
	}
	if len(kept) == 0 {
		return Span{}, false
	}
	part.Start, part.End = first, last
	axis := axisOf(down)
	low, high := kept[0].From, kept[0].To
	for _, w := range kept[1:] {
		low, high = min(low, w.From), max(high, w.To)
	}
	part.Rect[axis], part.Rect[axis+2] = max(low, s.Rect[axis]), min(high, s.Rect[axis+2])
	part.Words = PackWords(part.Rect, down, kept)
	return part, true
}

// SetWord is a word of a printed line: its length in bytes, and its beginning and end along
// the line, in points of the page.
type SetWord struct {
	Bytes    int
	From, To float64
}

// Words holds the places of a line's words along the line, whose text has one space
// between two words; "" if the places are unknown. It is the base64 of variable-length
// integers: the direction of the line, then for each word its length in bytes, the gap
// before it and its width, both in quarters of a point. It is about as long as the text.
type Words string

// grain is the number of steps per point, which is finer than the eye can see.
const grain = 4

// PackWords packs the places of the words of a line in rect, in the order of the text. down
// means that the line runs vertically on the page. For a single word it returns "", because
// the word has the place of the line.
func PackWords(rect Rect, down bool, words []SetWord) Words {
	if len(words) < 2 {
		return ""
	}
	way := byte(0)
	if down {
		way = 1
	}
	packed := append(make([]byte, 0, 1+4*len(words)), way)
	at := grains(rect[axisOf(down)])
	for _, w := range words {
		from, to := grains(w.From), grains(w.To)
		packed = binary.AppendUvarint(packed, uint64(max(w.Bytes, 0)))
		packed = binary.AppendVarint(packed, from-at)
		packed = binary.AppendVarint(packed, to-from)
		at = to
	}
	return Words(base64.RawStdEncoding.EncodeToString(packed))
}

// unpack returns the words of a line in rect. ok is false if the places are unknown, or if
// w is not in the format of PackWords.
func (w Words) unpack(rect Rect) (words []SetWord, down, ok bool) {
	packed, err := base64.RawStdEncoding.DecodeString(string(w))
	if err != nil || len(packed) == 0 || packed[0] > 1 {
		return nil, false, false
	}
	down, packed = packed[0] == 1, packed[1:]
	at := grains(rect[axisOf(down)])
	for len(packed) > 0 {
		bytes, n := binary.Uvarint(packed)
		gap, m := binary.Varint(packed[max(n, 0):])
		if n <= 0 || m <= 0 || bytes > math.MaxInt32 {
			return nil, false, false
		}
		width, o := binary.Varint(packed[n+m:])
		if o <= 0 {
			return nil, false, false
		}
		packed = packed[n+m+o:]
		words = append(words, SetWord{Bytes: int(bytes), From: float64(at+gap) / grain, To: float64(at+gap+width) / grain})
		at += gap + width
	}
	return words, down, true
}

func grains(points float64) int64 { return int64(math.Round(points * grain)) }

// axisOf returns the index in a Rect of the coordinate at which a line begins: 0 for a
// horizontal line, 1 for a vertical one (down).
func axisOf(down bool) int {
	if down {
		return 1
	}
	return 0
}

// SpansWithin returns the parts of spans that lie in bytes [start,end) of a text, relative to start.
func SpansWithin(spans []Span, start, end int) []Span {
	var out []Span
	for _, s := range spans {
		part, ok := s.Within(start, end)
		if !ok {
			continue
		}
		part.Start -= start
		part.End -= start
		out = append(out, part)
	}
	return out
}
