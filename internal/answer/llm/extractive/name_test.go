package extractive

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
)

// TestSources checks how a passage's article and text are named.
func TestSources(t *testing.T) {
	t.Parallel()
	const labor = "Code du travail"
	for _, c := range []struct {
		name   string
		p      llm.Passage
		before string
		want   string
	}{
		{"an article", llm.Passage{Title: labor, Article: "26 bis"}, "", "L’article 26 bis du Code du travail"},
		{"the same text again", llm.Passage{Title: labor, Article: "27"}, labor, "L’article 27 du même texte"},
		{"one of two editions", llm.Passage{Title: labor, Article: "27", Edition: "3 mai 2010"}, "", "L’article 27 du Code du travail (texte du 3 mai 2010)"},
		{"another text than before", llm.Passage{Title: labor, Article: "27"}, "Code pénal", "L’article 27 du Code du travail"},
		{"an annex", llm.Passage{Title: labor, Article: "Annexe I, article 2"}, "", "L’annexe I, article 2 du Code du travail"},
		{"an annex in capitals", llm.Passage{Title: labor, Article: "ANNEXE I"}, "", "L’annexe I du Code du travail"},
		{"a number with the word article", llm.Passage{Title: labor, Article: "Article unique"}, "", "L’article unique du Code du travail"},
		{"the preamble", llm.Passage{Title: "Constitution du 11 mai 2010", Heading: "PRÉAMBULE"}, "", "Le préambule de la Constitution du 11 mai 2010"},
		{"no article", llm.Passage{Title: "Arrêté n° 5", Heading: "Visas"}, "", "Le texte de l’arrêté n° 5"},
		{"a subject after a comma", llm.Passage{Title: "Loi n° 5 du 3 mai 2010, portant code du sel", Article: "2"}, "", "L’article 2 de la loi n° 5 du 3 mai 2010, portant code du sel,"},
		{"a long title with a subject after a comma", llm.Passage{Title: "Loi n° 5 du 3 mai 2010, portant" + strings.Repeat(" congés payés", 20), Article: "2"}, "", "L’article 2 de la loi n° 5 du 3 mai 2010"},
		{"a title with an enumeration", llm.Passage{Title: "Loi n° 5 relative aux prix, aux poids et au sel", Article: "2"}, "", "L’article 2 de la loi n° 5 relative aux prix, aux poids et au sel"},
		{"a text of no known kind", llm.Passage{Title: "Tarifs", Article: "2"}, "", "L’article 2 du texte « Tarifs »"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := source(c.p, c.before); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got := Source(llm.Passage{Title: labor, Article: "1er"}); got != "L’article 1er du Code du travail" {
		t.Errorf("Source: %q", got)
	}
}

// TestLongTitles checks that a long title is cut before its subject, or else between
// words, and never within a character, even if accents are separate signs.
func TestLongTitles(t *testing.T) {
	t.Parallel()
	much := strings.Repeat(" congés payés", 20)
	for _, c := range []struct {
		name, title, want string
	}{
		{"short", "Loi n° 5 portant Code du sel", "de la loi n° 5 portant Code du sel"},
		{"cut before the subject", "Loi n° 5 du 3 mai 2010 portant réforme des" + much, "de la loi n° 5 du 3 mai 2010"},
		{"in capitals", "DÉCRET N° 5 RELATIVE AUX" + much, "du décret N° 5"},
		{"two subjects", "Loi n° 5 modifiant la loi n° 4 portant" + much, "de la loi n° 5"},
		{"accents as separate signs", "D¨ecret¨ ¨n°¨ 5¨ portant" + much, "du texte « D¨ecret¨ ¨n°¨ 5¨ »"},
		{"many separate accents", strings.Repeat("a¨b¨c¨d", 1) + " portant" + strings.Repeat("x", 200), "du texte « a¨b¨c¨d… »"},
		{"only a subject", "Portant" + much, "du texte « Portant"},
		{"one long word", strings.Repeat("é", 300), "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := OfText(c.title)
			if !strings.Contains(got, c.want) || !utf8.ValidString(got) || utf8.RuneCountInString(got) > titleLimit+len("du texte « … »") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got := withoutSubject("a¨b¨c¨d¨e¨f portant x"); got != "a¨b¨c¨d¨e¨f" {
		t.Errorf("%q", got)
	}
	if got := withoutSubject("Décret portant"); got != "Décret portant" {
		t.Errorf("no subject: %q", got)
	}
}
