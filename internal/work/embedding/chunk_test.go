package embedding

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestChunks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Le meunier respecte un préavis écrit. ", 30)
	chunks := Chunks([]string{"LIVRE I", "TITRE II", " "}, "Préavis", long)
	if len(chunks) < 3 {
		t.Fatalf("%d chunks", len(chunks))
	}
	for _, c := range chunks {
		if !strings.HasPrefix(c, "TITRE II. Préavis. Le meunier") || !strings.HasSuffix(c, "écrit.") {
			t.Errorf("%q is not whole sentences under the nearest headings", c)
		}
	}
	for name, got := range map[string][]string{
		"no headings": Chunks(nil, "", "Un."), "no text": Chunks([]string{"A"}, "", " \n "), "nothing": Chunks(nil, "", ""),
		"a long heading": Chunks([]string{strings.Repeat("titre ", 100)}, "", "Un."),
	} {
		if len(got) != 1 || utf8.RuneCountInString(got[0]) > headLength+20 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Every letter of a passage is in a piece, in order, and no piece exceeds the maximum
// length.
func FuzzChunks(f *testing.F) {
	f.Add("Un. Deux.\nTrois", "TITRE")
	f.Add(strings.Repeat("é", 1000), "")
	f.Add("\xff\x00 a", strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, text, heading string) {
		var all strings.Builder
		for _, p := range pieces(text) {
			if utf8.RuneCountInString(p) > chunkLength || p == "" {
				t.Errorf("a piece of %d code points", utf8.RuneCountInString(p))
			}
			all.WriteString(p)
		}
		plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if plain(all.String()) != plain(text) {
			t.Errorf("%q became %q", text, all.String())
		}
		for _, c := range Chunks([]string{heading}, heading, text) {
			if utf8.RuneCountInString(c) > chunkLength+headings*(headLength+2) {
				t.Errorf("a chunk of %d code points", utf8.RuneCountInString(c))
			}
		}
	})
}
