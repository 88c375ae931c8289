package layout

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/law"
)

// textLine makes a line of the words of s.
func textLine(page int, s string) Line {
	l := Line{Page: page, Rect: law.Rect{float64(page), 0, 1, 1}}
	for _, w := range strings.Fields(s) {
		l.Words = append(l.Words, Word{Text: w})
	}
	return l
}

func TestJoin(t *testing.T) {
	t.Parallel()
	tests := []struct{ lines, want string }{
		{"la durée du tra-/vail est fixée", "la durée du travail est fixée"},
		{"il peut-/être mis fin", "il peut-être mis fin"},
		{"les cas prévus ci-/après", "les cas prévus ci-après"},
		{"la matière ci-/vile", "la matière civile"},
		{"la loi n° 2010-/05 du 3 mai", "la loi n° 2010-05 du 3 mai"},
		{"article L. 1224-/1 du code", "article L. 1224-1 du code"},
		{"la ville de Saint-/Louis", "la ville de Saint-Louis"},
		{"les MINIS-/TÈRES", "les MINISTÈRES"},
		{"celui-/ci peut", "celui-ci peut"},
		{"lui-/même", "lui-même"},
		{"le procès-/verbal", "le procès-verbal"},
		{"le vice-/président", "le vice-président"},
		{"soixante-/dix jours", "soixante-dix jours"},
		{"quatre-vingt-/dix jours", "quatre-vingt-dix jours"},
		{"doit-/il être", "doit-il être"},
		{"y a-/t-il lieu", "y a-t-il lieu"},
		{"la main-/d’œuvre", "la main-d’œuvre"},
		{"sous-/traitance", "sous-traitance"},
		{"sous-/crire", "souscrire"},
		{"avant-/projet", "avant-projet"},
		{"des avant-/ages", "des avantages"},
		{"l’apparte-/nance", "l’appartenance"},
		{"les par-/ties", "les parties"},
		{"par-/dessus", "par-dessus"},
		{"un tiret -/seul", "un tiret - seul"},
		{"fin -/- début", "fin - - début"},
		{"un mot/deux", "un mot deux"},
		{"trois//lignes", "trois lignes"},
		{"fin de page tra-", "fin de page tra-"},
		{"con-/sti-/tution", "constitution"},
		{"", ""},
	}
	for _, tt := range tests {
		t.Run(tt.lines, func(t *testing.T) {
			var lines []Line
			for i, s := range strings.Split(tt.lines, "/") {
				lines = append(lines, textLine(i+1, s))
			}
			got, spans := Join(lines)
			if got != tt.want {
				t.Errorf("Join(%q) = %q, want %q", tt.lines, got, tt.want)
			}
			checkSpans(t, got, spans)
		})
	}
}

// checkSpans checks that spans are in order, do not overlap, cover everything but single spaces, and are at
// the place of their line.
func checkSpans(t *testing.T, text string, spans []law.Span) {
	t.Helper()
	pos := 0
	for i, s := range spans {
		if s.Start < pos || s.End < s.Start || s.End > len(text) {
			t.Fatalf("span %d is %+v after byte %d of %d", i, s, pos, len(text))
		}
		if gap := text[pos:s.Start]; gap != "" && gap != " " {
			t.Errorf("%q between spans of %q", gap, text)
		}
		if s.Rect[0] != float64(s.Page) {
			t.Errorf("span %d has the place of another line", i)
		}
		pos = s.End
	}
	if len(spans) > 0 && pos != len(text) {
		t.Errorf("spans end at %d of %d", pos, len(text))
	}
}

func TestJoinKeepsHyphensSeenElsewhere(t *testing.T) {
	t.Parallel()
	pages := []Page{
		sheetOf(1, "les dommages-intérêts alloués par le juge", "la réparation par dommages-"),
		sheetOf(2, "intérêts est due et la contre-", "partie aussi"),
	}
	Arrange(pages)
	var lines []Line
	for _, p := range pages {
		lines = append(lines, p.Lines...)
	}
	got, _ := Join(lines)
	want := "les dommages-intérêts alloués par le juge la réparation par dommages-intérêts est due et la contrepartie aussi"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// FuzzJoin checks that joining loses no letter, and that checkSpans passes.
func FuzzJoin(f *testing.F) {
	f.Add("tra-", "vail peut-", "être")
	f.Add("a‐", "-b", "’")
	f.Add("\xff-", "é", "- ")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		lines := []Line{textLine(1, a), textLine(2, b), textLine(3, c)}
		text, spans := Join(lines)
		checkSpans(t, text, spans)
		strip := strings.NewReplacer("-", "", "‐", "")
		want := strings.Join(strings.Fields(a+" "+b+" "+c), "")
		got := strings.Join(strings.Fields(text), "")
		if utf8.ValidString(want) && strip.Replace(got) != strip.Replace(want) {
			t.Errorf("%q became %q", want, got)
		}
	})
}
