package terminal

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

func TestTable(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	table := Table{Head: []string{"NOM", "ÉTAT", "NOTE"}}
	if err := table.Write(&b, "Rien."); err != nil || b.String() != "Rien.\n" {
		t.Errorf("an empty table prints %q, error %v", b.String(), err)
	}
	b.Reset()
	table.Add("élève", 12, "")
	table.Add("a\tb\nc", "\x1b[1m", "note")
	if err := table.Write(&b, ""); err != nil {
		t.Fatal(err)
	}
	want := "NOM    ÉTAT  NOTE\nélève  12\na b c  \ufffd[1m  note\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestTableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	table := Table{Head: []string{"FICHIER", "REMARQUE", "TITRE", "ID"}}
	table.Add("jo-2025-05.pdf", "Trois pages n’ont pas été lues, faute d’outil.", "Loi n° 2025-03 du 4 mars 2025", "3b9374c6")
	table.Add("a.pdf", "", "Décret", "e84048e8")
	for width := 43; width < 200; width++ {
		var b strings.Builder
		if err := table.Write(Screen{Writer: &b, Width: func() int { return width }}, ""); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := text.StringWidth(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
		for _, whole := range []string{"3b9374c6", "jo-2025-05.pdf", "2025-03"} {
			if !strings.Contains(b.String(), whole) {
				t.Errorf("width %d: %q is cut:\n%s", width, whole, b.String())
			}
		}
	}
	var b strings.Builder
	const want = "FICHIER         REMARQUE                                        TITRE                          ID\n" +
		"jo-2025-05.pdf  Trois pages n’ont pas été lues, faute d’outil.  Loi n° 2025-03 du 4 mars 2025  3b9374c6\n" +
		"a.pdf                                                           Décret                         e84048e8\n"
	if err := table.Write(&b, ""); err != nil || b.String() != want {
		t.Errorf("without a terminal: %v, got\n%s", err, b.String())
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "été\n", "\x1b[31m", "\u202e\u2066", "\xff\xfe", "\u009b1m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) || strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		for _, r := range got {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("Clean(%q) keeps %q", s, r)
			}
		}
		if again := Clean(got); again != got {
			t.Errorf("clean is not stable: %q, %q", got, again)
		}
	})
}
