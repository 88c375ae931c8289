package terminal

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
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
	table := Table{Head: []string{"NATURE", "FICHIER", "REMARQUE", "TITRE", "ID"}, Omit: []string{"NATURE"}}
	table.Add("loi", "/gazettes/2025/mars/jo-2025-05.pdf", "Trois pages n’ont pas été lues, faute d’outil.", "Loi n° 2025-03 du 4 mars 2025", "3b9374c6")
	table.Add("décret", "a.pdf", "", "Décret", "e84048e8")
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
		if err := table.Write(Screen{Writer: &b, Width: func() int { return width }}, ""); err != nil || b.String() != want {
			t.Errorf("width %d: %v, got\n%swant\n%s", width, err, b.String(), want)
		}
	}
	for width := 30; width < 200; width++ {
		var b strings.Builder
		if err := table.Write(Screen{Writer: &b, Width: func() int { return width }}, ""); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := Columns(strings.TrimRight(line, "\n")); n > width {
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
	if err := table.Write(Screen{Writer: &b, Width: func() int { return 30 }}, ""); err != nil || !strings.HasPrefix(b.String(), "NATURE    loi\nFICHIER   /gazettes/2025/mars/\n          jo-2025-05.pdf\n") {
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
			if got := strings.Join(Wrap(c.s, c.n), "|"); got != c.want {
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

// TestBarDraws checks every byte that is sent to the terminal: each line begins at the left
// edge, and a shorter line completely overwrites a longer one.
func TestBarDraws(t *testing.T) {
	t.Parallel()
	const empty = "1/2 jo.pdf   0% |                    | (0/3)"
	for _, c := range []struct {
		name string
		do   func(b *Bar)
		want string
	}{
		{"nothing done", func(b *Bar) { b.Draw("1/2", "jo.pdf", "", 0, 3) }, "\r" + empty},
		{"a third", func(b *Bar) { b.Draw("1/2", "jo.pdf", "", 1, 3) }, "\r1/2 jo.pdf  33% |██████              | (1/3)"},
		{"not full before the end", func(b *Bar) { b.Draw("1/2", "jo.pdf", "", 199, 200) }, "\r1/2 jo.pdf  99% |███████████████████ | (199/200)"},
		{"all", func(b *Bar) { b.Draw("1/2", "jo.pdf", "", 40, 40) }, "\r1/2 jo.pdf 100% |████████████████████| (40/40)"},
		{"no page", func(b *Bar) { b.Draw("1/2", "jo.pdf", "", 0, 0) }, "\r1/2 jo.pdf   0% |                    | (0/0)"},
		{"more than all", func(b *Bar) { b.Draw("1/2", "jo.pdf", "", 4, 3) }, "\r1/2 jo.pdf 100% |████████████████████| (4/3)"},
		{"a shorter line", func(b *Bar) {
			b.Draw("1/2", "deuxième.pdf", "", 0, 3)
			b.Draw("1/2", "jo.pdf", "", 0, 3)
		}, "\r1/2 deuxième.pdf   0% |                    | (0/3)\r" + empty + "      "},
		{"a sentence", func(b *Bar) {
			b.Draw("1/2", "jo.pdf", "", 0, 3)
			b.Say("Aucun worker.")
			b.End()
		}, "\r" + empty + "\r" + strings.Repeat(" ", Columns(empty)) + "\rAucun worker.\n\r\r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			c.do(NewBar(&out))
			if out.String() != c.want {
				t.Errorf("drew\n%q, want\n%q", out.String(), c.want)
			}
		})
	}
}
