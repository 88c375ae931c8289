package pdftext

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"travail", "travail"},
		{"ﬁscal", "fiscal"}, {"aﬀaires", "affaires"}, {"ﬂux", "flux"},
		{"e\u0301tat", "état"},
		{"tra\u00ADvail", "travail"}, {"tra\u00AD", "tra-"}, {"tra\u0002", "tra-"}, {"tra\uFFFE", "tra-"}, {"\u00AD", ""},
		{"peut\u2011être", "peut-être"}, {"dix\u2010sept", "dix-sept"},
		{"\uF0B7", "•"}, {"\uF0B7\uF0A7", "•"}, {"\uE001mot", "•mot"},
		{"\uF041\uF072\uF074", "Art"},
		{"a\u200Bb\uFEFF", "ab"}, {"\u0001\u0003", ""},
		{"nᵒ", "n°"}, {"nº", "n°"}, {"№", "N°"}, {"1º", "1°"}, {"1ᵉʳ", "1er"}, {"Ⅳ", "IV"}, {"ｌｏｉ", "loi"}, {"𝟏𝟐", "12"}, {"m²", "m²"}, {"¾", "¾"}, {"loi…", "loi…"},
		{"ma\u200Btin", "matin"}, {"œuvre", "œuvre"}, {"«", "«"}, {"l’État", "l’État"},
	}
	for _, tt := range tests {
		if got := clean(tt.in); got != tt.want {
			t.Errorf("clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// spell returns the characters of s, each five points wide, from x to the right. A space in s is
// a gap of the width gap.
func spell(s string, x, y, gap float64) []char {
	var out []char
	for i, r := range []rune(s) {
		if r == '_' {
			x += gap
			continue
		}
		out = append(out, char{r: r, index: i, rect: law.Rect{x, y, x + 5, y + 12}})
		x += 5
	}
	return out
}

// small is like spell, for characters of half the size whose top is at y.
func small(s string, x, y float64) (out []char) {
	for i, r := range s {
		out = append(out, char{r: r, index: 100 + i, rect: law.Rect{x, y, x + 2, y + 5}})
		x += 2
	}
	return out
}

func TestGroup(t *testing.T) {
	t.Parallel()
	set := func(int) style { return style{size: 10, x: 0, y: 9} }
	tests := []struct {
		name  string
		chars []char
		want  []string
	}{
		{"nothing", nil, nil},
		{"a sign of no width", spell("ma\u200Btin", 0, 0, 0), []string{"matin"}},
		{"spaces", spell("un deux  trois", 0, 0, 0), []string{"un", "deux", "trois"}},
		{"no-break spaces", spell("n°\u00A05\u202Fbis", 0, 0, 0), []string{"n°", "5", "bis"}},
		{"columns without a space", spell("fin_début", 0, 0, 20), []string{"fin", "début"}},
		{"letters set apart a little", spell("Art_icle", 0, 0, 1), []string{"Article"}},
		{"next line", slices.Concat(spell("fin", 0, 0, 0), spell("début", 15, 12, 0)), []string{"fin", "début"}},
		{"raised letters", slices.Concat(spell("1", 0, 0, 0), spell("er", 5, -4, 0)), []string{"1er"}},
		{"the mark of a note in brackets", slices.Concat(spell("15", 0, 0, 0), small("(3)", 10, 0)), []string{"15", "(3)"}},
		{"the mark of a note as a character", spell("24²", 0, 0, 0), []string{"24", "2"}},
		{"a unit", spell("m²", 0, 0, 0), []string{"m²"}},
		{"the mark of a note", slices.Concat(spell("431", 0, 0, 0), small("165", 15, 0)), []string{"431", "165"}},
		{"lowered figures", slices.Concat(spell("20", 0, 0, 0), small("2", 10, 7)), []string{"202"}},
		{"figures a little smaller", slices.Concat(spell("20", 0, 0, 0), []char{{r: '5', index: 9, rect: law.Rect{10, 1, 15, 12}}}), []string{"205"}},
		{"the power of a unit", slices.Concat(spell("12km", 0, 0, 0), small("2", 20, 0)), []string{"12km2"}},
		{"the mark of a note behind a word", slices.Concat(spell("loi", 0, 0, 0), small("2", 15, 0)), []string{"loi", "2"}},
		{"combining accent without a box", []char{{r: 'e', rect: law.Rect{0, 0, 5, 12}}, {r: '\u0301'}, {r: 't', rect: law.Rect{5, 0, 10, 12}}}, []string{"ét"}},
		{"only what prints nothing", spell("\u200D\u0001", 0, 0, 0), nil},
	}
	for _, tt := range tests {
		var got []string
		words, _ := group(tt.chars, set, func([]char, style) sight { return seen })
		for _, w := range words {
			got = append(got, w.Text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRaisedNumbers(t *testing.T) {
	t.Parallel()
	word := func(text string, x, base, size float64) layout.Word {
		return layout.Word{Text: text, Size: size, Rect: law.Rect{x, base - 0.9*size, x + 10, base + 0.25*size}}
	}
	for name, c := range map[string]struct {
		words []layout.Word
		want  string
	}{
		"behind a number":     {[]layout.Word{word("24", 0, 100, 10), word("2", 11, 96, 6), word("jours", 22, 100, 10)}, "24 2^ jours"},
		"set apart":           {[]layout.Word{word("24", 0, 100, 10), word("(3),", 13, 96, 6)}, "24 (3),^"},
		"before a note":       {[]layout.Word{word("1", 0, 96, 5), word("Soit", 11, 100, 8)}, "1^ Soit"},
		"lowered":             {[]layout.Word{word("CO", 0, 100, 10), word("2", 11, 102, 6)}, "CO2"},
		"of the size of text": {[]layout.Word{word("24", 0, 100, 10), word("2", 11, 96, 10)}, "24 2"},
		"far from any":        {[]layout.Word{word("24", 0, 100, 10), word("2", 80, 96, 6)}, "24 2"},
		"on another line":     {[]layout.Word{word("24", 0, 100, 10), word("2", 11, 80, 6)}, "24 2"},
		"letters":             {[]layout.Word{word("1", 0, 100, 10), word("er", 12, 96, 6), word(".", 22, 100, 10)}, "1er ."},
		"a power":             {[]layout.Word{word("12", 0, 100, 10), word("m", 13, 100, 10), word("2", 25, 96, 6)}, "12 m2"},
	} {
		got := ""
		for _, w := range joinRaised(c.words) {
			if got += w.Text; w.Raised {
				got += "^"
			}
			got += " "
		}
		got = strings.TrimSpace(got)
		if got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestOnBase(t *testing.T) {
	t.Parallel()
	tall := law.Rect{10, 80, 60, 110} // a font that claims three times its size
	got := onBase(tall, style{size: 10, x: 10, y: 100})
	if want := (law.Rect{10, 91, 60, 102.5}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	for _, s := range []style{{}, {size: 10, y: 500}, {size: 900, y: 100}, {size: 10, y: 100, turn: layout.Askew}} {
		if got := onBase(tall, s); got != tall {
			t.Errorf("%+v changed the box to %v", s, got)
		}
	}
}

func TestRound2(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]float64{1.234: 1.23, math.Inf(1): 0, 1e300: 0, -2.005001: -2.01} {
		if got := round2(in); got != want {
			t.Errorf("round2(%v) = %v", in, got)
		}
	}
	if round2(math.NaN()) != 0 {
		t.Error("NaN stays")
	}
}

func TestTurnOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		degrees float64
		turns   int
		want    layout.Rotation
	}{
		{0, 0, layout.Upright}, {90, 0, layout.Down}, {180, 0, layout.Over}, {270, 0, layout.Up}, {3, 0, layout.Upright}, {-3, 0, layout.Upright},
		{357, 0, layout.Upright}, {45, 0, layout.Askew}, {0, 1, layout.Down}, {270, 1, layout.Upright}, {math.NaN(), 0, layout.Askew},
	}
	for _, tt := range tests {
		if got := turnOf(tt.degrees*math.Pi/180, tt.turns); got != tt.want {
			t.Errorf("%v degrees, %d turns: %d, want %d", tt.degrees, tt.turns, got, tt.want)
		}
	}
}

func TestExpected(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want int
	}{
		{"%PDF-1.7\n1 0 obj\n<</Linearized 1/L 454191/O 267/E 145549/N 28/T 453543>>\nendobj", 28},
		{string(numbered(7).bytes()), 7},
		{"%PDF-1.7\n2 0 obj\n<</Count 12/Type/Pages>>\nendobj\n3 0 obj\n<</Type /Pages /Count 5>>\nendobj\n4 0 obj <</Count 99>> endobj", 12},
		{"%PDF-1.7\n1 0 obj\n<</Type/Page/Count 3>>", 0},
		{"%PDF", 0},
		{strings.Repeat("x", 1<<20) + "2 0 obj\n<</Type/Pages/Count 31>>", 31},
	}
	for _, tt := range tests {
		r := strings.NewReader(tt.in)
		if got := expectPages(r, r.Size()); got != tt.want {
			t.Errorf("%.60q: %d, want %d", tt.in, got, tt.want)
		}
	}
	if r := strings.NewReader("%PDF-1.4 %%EOF\n"); lacksEnd(r, r.Size()) {
		t.Error("a whole file is said to lack its end")
	}
}

func TestFrames(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	sent := layout.Page{Number: 3, Width: 595.28, Words: []layout.Word{
		{Text: "Loi", Turn: layout.Up, Rect: law.Rect{-1.5, 0, 99.99, 12}, Size: 10.5, Bold: true},
		{Text: "é", Turn: layout.Askew, Ital: true},
	}}
	if err := errors.Join(writePage(&b, sent), writeJSON(&b, reply{Width: 4}), writeFrame(&b, kindImage, []byte{1, 2, 3})); err != nil {
		t.Fatal(err)
	}
	if p, err := readPage(&b); err != nil || !reflect.DeepEqual(*p, sent) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := readPage(&b); err != nil || p != nil {
		t.Errorf("a reply without a page: %+v, %v", p, err)
	}
	var got reply
	if pixels, err := readFrame(&b, kindImage, 10); err != nil || !bytes.Equal(pixels, []byte{1, 2, 3}) {
		t.Errorf("%v, %v", pixels, err)
	}
	if _, err := readFrame(&b, kindImage, 10); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	for name, raw := range map[string]string{"wrong kind": "x\x00\x00\x00\x01a", "too long": "j\xff\xff\xff\xff", "no JSON": "j\x00\x00\x00\x01{"} {
		if err := readJSON(strings.NewReader(raw), &got); !errors.Is(err, errFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := readJSON(strings.NewReader("j\x05\x00\x00\x00{"), &got); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut frame: %v", err)
	}
}

// FuzzProtocol gives arbitrary bytes to the decoders of parent and child: they must return an
// error or a value, and must not allocate much more memory than the bytes that arrived.
func FuzzProtocol(f *testing.F) {
	var b bytes.Buffer
	_ = writePage(&b, layout.Page{Number: 1, Words: []layout.Word{{Text: "Loi"}}})
	f.Add(b.Bytes())
	b.Reset()
	_ = writeJSON(&b, request{Op: "read", From: 1, To: 3})
	f.Add(b.Bytes())
	f.Add([]byte("j\x7f\xff\xff\xff"))
	f.Add([]byte("i\x00\x00\x00\x02ab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		var got reply
		var asked request
		for {
			if err := readJSON(r, &got); err != nil {
				break
			}
		}
		_ = readJSON(bytes.NewReader(data), &asked)
		_, _ = readPage(bytes.NewReader(data))
		if body, err := readFrame(bytes.NewReader(data), kindImage, maxFrame); err == nil && len(body) > len(data) {
			t.Errorf("%d bytes out of %d", len(body), len(data))
		}
	})
}

// FuzzClean checks that clean brings any text of a font into one form.
func FuzzClean(f *testing.F) {
	f.Add("ﬁs\u00ADcal\uF0B7")
	f.Add("\uF041\uF072")
	f.Fuzz(func(t *testing.T, s string) {
		once := clean(s)
		if strings.ContainsFunc(once, func(r rune) bool { return r < ' ' || softHyphen(r) || private(r) }) {
			t.Errorf("clean(%q) = %q", s, once)
		}
	})
}

// FuzzExpected checks that the search for a page count survives any bytes.
func FuzzExpected(f *testing.F) {
	f.Add([]byte("1 0 obj <</Type/Pages/Count 5>> endobj"))
	f.Add([]byte("<</Linearized 1/N 99>>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := expectPages(bytes.NewReader(b), int64(len(b))); n < 0 {
			t.Errorf("%d pages", n)
		}
		_ = lacksEnd(bytes.NewReader(b), int64(len(b)))
	})
}

// FuzzTrailer checks that trailer survives any bytes, and that its result is empty, or names an
// object and is no longer than repairBytes.
func FuzzTrailer(f *testing.F) {
	f.Add([]byte("7 0 obj\n<< /Type /Catalog /Pages 2 0 R >>"))
	f.Add([]byte("999999999 99999 obj<</Type/Catalog/Encrypt 3"))
	f.Fuzz(func(t *testing.T, b []byte) {
		end := trailer(b)
		if len(end) > 0 && (len(end) > repairBytes || !bytes.Contains(end, []byte("/Root "))) {
			t.Errorf("%q", end)
		}
	})
}
