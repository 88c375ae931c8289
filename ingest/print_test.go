package main

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/work/admission"
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

func TestTableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	table := table{head: []string{"NATURE", "FICHIER", "REMARQUE", "TITRE", "ID"}, omit: []string{"NATURE"}}
	table.add("loi", "/gazettes/2025/mars/jo-2025-05.pdf", "Trois pages n’ont pas été lues, faute d’outil.", "Loi n° 2025-03 du 4 mars 2025", "3b9374c6")
	table.add("décret", "a.pdf", "", "Décret", "e84048e8")
	for width, want := range map[int]string{
		0: "NATURE  FICHIER                             REMARQUE                                        TITRE                          ID\n" +
			"loi     /gazettes/2025/mars/jo-2025-05.pdf  Trois pages n’ont pas été lues, faute d’outil.  Loi n° 2025-03 du 4 mars 2025  3b9374c6\n" +
			"décret  a.pdf                                                                               Décret                         e84048e8\n",
		70: "FICHIER             REMARQUE             TITRE                ID\n" +
			"/gazettes/2025/     Trois pages n’ont    Loi n° 2025-03 du 4  3b9374c6\n" +
			"mars/               pas été lues, faute  mars 2025\n" +
			"jo-2025-05.pdf      d’outil.\n" +
			"a.pdf                                    Décret               e84048e8\n" +
			"(Faute de place, sans : NATURE.)\n",
	} {
		var b strings.Builder
		if err := table.write(screen{&b, func() int { return width }}, ""); err != nil || b.String() != want {
			t.Errorf("width %d: %v, got\n%swant\n%s", width, err, b.String(), want)
		}
	}
	for width := 30; width < 200; width++ {
		var b strings.Builder
		if err := table.write(screen{&b, func() int { return width }}, ""); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := columns(strings.TrimRight(line, "\n")); n > width {
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
	if err := table.write(screen{&b, func() int { return 30 }}, ""); err != nil || !strings.HasPrefix(b.String(), "NATURE    loi\nFICHIER   /gazettes/2025/mars/\n          jo-2025-05.pdf\n") {
		t.Errorf("%v, in 30 columns:\n%s", err, b.String())
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 4, ""}, {"un deux", 0, "un deux"}, {"un deux", 7, "un deux"}, {"un deux trois", 7, "un deux|trois"}, {"/a/bc/def", 6, "/a/bc/|def"},
		{"anticonstitutionnellement", 10, "anticonsti|tutionnell|ement"}, {"e\u0301te\u0301 e\u0301te\u0301", 3, "e\u0301te\u0301|e\u0301te\u0301"},
	} {
		t.Run(c.s, func(t *testing.T) {
			if got := strings.Join(broken(c.s, c.n), "|"); got != c.want {
				t.Errorf("%q in %d: %q, want %q", c.s, c.n, got, c.want)
			}
		})
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
		cut("élève", 5): "élève", cut("un élève", 4): "un…", bytesOf(1): "1 octets", bytesOf(1536): "1,5 Kio", bytesOf(admission.MaxSize): "256,0 Mio",
		count(0, "texte"): "0 texte", count(1, "texte"): "1 texte", count(2, "texte"): "2 textes",
	} {
		t.Run(got, func(t *testing.T) {
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
