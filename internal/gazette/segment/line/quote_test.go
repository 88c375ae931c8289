package line

import (
	"strings"
	"testing"
)

// lined makes lines of a text. A line that begins with two blanks opens a paragraph.
func lined(text string) []Line {
	var out []Line
	for t := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		l := plainLines(strings.TrimSpace(t))[0]
		l.Opens = strings.HasPrefix(t, "  ")
		out = append(out, l)
	}
	return out
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{ // + marks a quoted line
		"new wording":              {"  Il est dit :\n  « Art. 4. — Le sel\nest gris. »\n  Art. 3. — Fin.", "..+."},
		"mark at each paragraph":   {"  Ainsi :\n  « Un.\n  « Deux.\n  « Trois. »\n  Art. 3.", "..++."},
		"within a sentence":        {"  Le mot « sel » est\nremplacé.\n  Art. 3.", "..."},
		"a word left open":         {"  Le mot « sel est\nremplacé.\n  Art. 3.\n  Art. 4.", ".+.."},
		"never closed":             {"  Ainsi :\n  « Art. 4.\n  Art. 3.\n  Art. 4.", "...."},
		"closed by the signatures": {"  Ainsi :\n  « Art. 4.\n  Le sel.\n  Fait à Armelle, le 3 mai 2019.\n  Art. 1er. »", "....."},
		"one in another":           {"  Ainsi :\n  « Art. 4. — Le « sel »\nest gris. »\n  Art. 3.", "..+."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got strings.Builder
			for _, q := range InQuotes(lined(c.text)) {
				got.WriteByte(map[bool]byte{true: '+', false: '.'}[q])
			}
			if got.String() != c.want {
				t.Errorf("%q\n got %s\nwant %s", c.text, got.String(), c.want)
			}
		})
	}
}

func TestAQuotationReachesOnlySoFar(t *testing.T) {
	t.Parallel()
	text := "  Ainsi :\n  « Art. 4.\n" + strings.Repeat("  Le sel est gris.\n", quoteReach+10) + "  Fin. »"
	for i, q := range InQuotes(lined(text)) {
		if q {
			t.Fatalf("line %d of an endless quotation is taken for quoted", i)
		}
	}
}
