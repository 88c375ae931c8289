package segment

import (
	"strings"
	"testing"
)

// lined makes lines of a text. A line that begins with two blanks opens a paragraph.
func lined(text string) []line {
	var out []line
	for t := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		l := plainLines(strings.TrimSpace(t))[0]
		l.opens = strings.HasPrefix(t, "  ")
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
			for _, q := range quoted(lined(c.text)) {
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
	for i, q := range quoted(lined(text)) {
		if q {
			t.Fatalf("line %d of an endless quotation is taken for quoted", i)
		}
	}
}

func TestUnquoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Le mot « sel » tombe.": "Le mot  tombe.", "Ainsi : « Un « deux » trois » quatre": "Ainsi :  quatre",
		"« jamais fermé": "", "rien": "rien", "» fermé seul": " fermé seul", "“anglais” non": " non",
	} {
		if got := unquoted(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Le sel est gris. Il est fin.":                          "Le sel est gris.|Il est fin.",
		"Voir l'art. 3 et les arts. 4 et 5. Fin.":               "Voir l'art. 3 et les arts. 4 et 5.|Fin.",
		"M. Personne est nommé. Il accepte.":                    "M. Personne est nommé.|Il accepte.",
		"Les articles 24. 42. 319 sont abrogés. Fin.":           "Les articles 24. 42. 319 sont abrogés.|Fin.",
		"Sont abrogés :\n- la loi n° 3 ;\n- la loi n° 4.\nFin.": "Sont abrogés :\n- la loi n° 3 ;\n- la loi n° 4.|Fin.",
		"Sans point":   "Sans point",
		"":             "",
		"Un.\n\nDeux.": "Un.|Deux.",
	} {
		if got := strings.Join(sentences(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("Le sel. Il « est. » Art. 3.\n24. 42")
	f.Fuzz(func(t *testing.T, text string) {
		joined := strings.Join(sentences(text), "")
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if bare(joined) != bare(text) {
			t.Fatalf("%q became %q", text, joined)
		}
	})
}
