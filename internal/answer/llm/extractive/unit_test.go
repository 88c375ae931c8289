package extractive

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
)

func TestDropLoneGuillemets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"none", "Le sel est gris.", "Le sel est gris."},
		{"a pair", "Le « sel » est gris.", "Le « sel » est gris."},
		{"opened at the beginning", "« Le sel est gris.", "Le sel est gris."},
		{"opened in the middle", "Le sel est gris. « Le poivre est noir.", "Le sel est gris. Le poivre est noir."},
		{"opened again by each paragraph", "« Le sel. « Le poivre est noir. »", "Le sel. « Le poivre est noir. »"},
		{"closed only", "Le sel est gris. »", "Le sel est gris."},
		{"closed before the full stop", "Le sel est gris ».", "Le sel est gris."},
		{"closed before it opens", "gris » et « noir", "gris et noir"},
		{"nested", "« le « gros sel » »", "« le « gros sel » »"},
		{"nothing else", "«»«", "«»"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := dropLoneGuillemets(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestTheNumberOfAQuotedArticleIsNoSentence: it names the article of what follows, and nothing of it is left to quote.
func TestTheNumberOfAQuotedArticleIsNoSentence(t *testing.T) {
	t.Parallel()
	all := units(&llm.Passage{N: 1, Article: "1er", Text: "La loi est modifiée ainsi :\n« Article 7 :\n« Article 24.\nLe sel gris est vendu au poids.\n« Art. 25 (nouveau). — Le sel blanc est vendu au litre."})
	var got []string
	for _, u := range all {
		if strings.TrimSpace(u.quote()) == "" {
			t.Errorf("%q leaves nothing to quote", u.text)
		}
		got = append(got, u.quoted+": "+u.quote())
	}
	want := []string{"24: Le sel gris est vendu au poids.", "25: Le sel blanc est vendu au litre."}
	if len(got) < 2 || !slices.Equal(got[len(got)-2:], want) {
		t.Errorf("units %q, want at the end %q", got, want)
	}
}

func TestSentencesInParentheses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"an editor's note", "Le sel est gris. (Ajouté par la loi n° 2019-47 du 29 mai 2019). Il est vendu au poids.", 2},
		{"nested parentheses", "Le sel est gris. (Modifié par l’article 2 (nouveau) de la loi n° 2019-47).", 1},
		{"a numbered paragraph", "(1) Le sel est gris (ou blanc).", 1},
		{"two pairs", "Le sel est gris. (Sauf celui du nord) ou blanc (au sud).", 2},
		{"never closed", "Le sel est gris. (Sauf celui du nord.", 2},
		{"nothing else", "(Abrogé par la loi n° 2019-47 du 29 mai 2019).", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := units(&llm.Passage{N: 1, Article: "4", Text: c.text}); len(got) != c.want {
				t.Errorf("%d units, want %d: %+v", len(got), c.want, got)
			}
		})
	}
}

// TestItemsOfSeveralSentences checks that an item is quoted with the line that introduces
// its list, even after an item of several sentences.
func TestItemsOfSeveralSentences(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(", de nuit comme de jour", 20)
	for name, c := range map[string]struct {
		text, item string
		introduced bool
	}{
		"a further sentence":      {"Le bail est suspendu :\n1. pendant la crue" + long + " ;\n2. pendant le gel" + long + ". Ce délai est prorogé.\nIl est alors payé.\n3. pendant la fête.", "3. pendant la fête.", true},
		"degrees":                 {"Le bail est suspendu :\n1° pendant la crue" + long + " ;\n2° pendant le gel" + long + ". Il est alors payé.\n3° pendant la fête.", "3° pendant la fête.", true},
		"in one sentence":         {"Le bail est suspendu :\n1. pendant la crue" + long + ". Ce délai est prorogé ;\n2. pendant le gel" + long + ". Il est payé.\n3. pendant la fête.", "3. pendant la fête.", true},
		"in one line":             {"Le bail est suspendu :\n1. pendant la crue" + long + ".\nCe délai est prorogé ; 2. pendant le gel" + long + ".\n3. pendant la fête.", "3. pendant la fête.", true},
		"another style of number": {"Le bail est suspendu :\n1. pendant la crue" + long + " ;\n2. pendant le gel" + long + ". Il est payé.\n(3) Le bailli tranche.", "(3) Le bailli tranche.", false},
		"not the next number":     {"Le bail est suspendu :\n1. pendant la crue" + long + " ;\n2. pendant le gel" + long + ". Il est payé.\n5. pendant la fête.", "5. pendant la fête.", false},
		"no list before":          {"Le bail est long.\n2. Le bailli tranche.", "2. Le bailli tranche.", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := units(&llm.Passage{N: 1, Article: "4", Text: c.text})
			last := all[len(all)-1]
			if last.text != c.item || (last.introduction != nil) != c.introduced {
				t.Errorf("%q, introduced %v: want %q, %v", last.text, last.introduction != nil, c.item, c.introduced)
			}
		})
	}
}

func TestJoinSentences(t *testing.T) {
	t.Parallel()
	p := &llm.Passage{N: 1, Article: "4", Text: "Le sel est gris. Le poivre est noir. Le safran est cher."}
	all := units(p)
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	for name, c := range map[string]struct {
		chosen []unit
		want   string
	}{
		"consecutive": {all[:2], "Le sel est gris. Le poivre est noir."},
		"one between": {[]unit{all[0], all[2]}, "Le sel est gris. […] Le safran est cher."},
		"all":         {all, p.Text},
		"one":         {all[1:2], "Le poivre est noir."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := joinSentences(c.chosen); len(got) != 1 || got[0].quote() != c.want {
				t.Errorf("%+v, want %q", got, c.want)
			}
		})
	}
	other := units(&llm.Passage{N: 2, Article: "5", Text: "Le thym est vert."})
	if got := joinSentences([]unit{all[0], other[0]}); len(got) != 2 {
		t.Errorf("two articles in %d quotations", len(got))
	}
}
