package main

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestTable(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	table := table{head: []string{"NOM", "ÉTAT", "NOTE"}}
	if err := table.write(&b, "Rien."); err != nil || b.String() != "Rien.\n" {
		t.Errorf("an empty table prints %q, error %v", b.String(), err)
	}
	b.Reset()
	table.add("élève", 12, "")
	table.add("a\tb\nc", "\x1b[1m", "note")
	if err := table.write(&b, ""); err != nil {
		t.Fatal(err)
	}
	want := "NOM    ÉTAT  NOTE\nélève  12\na b c  \ufffd[1m  note\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "été\n", "\x1b[31m", "\u202e\u2066", "\xff\xfe", "\u009b1m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if !utf8.ValidString(got) || strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("clean(%q) = %q", s, got)
		}
		for _, r := range got {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("clean(%q) keeps %q", s, r)
			}
		}
		if again := clean(got); again != got {
			t.Errorf("clean is not stable: %q, %q", got, again)
		}
	})
}

func TestSmallPrints(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		cut("élève", 5): "élève", cut("un élève", 4): "un…", bytesOf(1): "1 octets", bytesOf(1536): "1,5 Kio", bytesOf(maxSize): "256,0 Mio",
		count(0, "texte"): "0 texte", count(1, "texte"): "1 texte", count(2, "texte"): "2 textes",
		filename("/a/" + strings.Repeat("é", 200) + ".pdf"): strings.Repeat("é", 127), filename("/a/b.pdf"): "b.pdf",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
