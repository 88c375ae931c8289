package law_test

import (
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

// The title of a code ends where the rest of the sentence begins.
func TestTitlesOfCodesEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"le code du travail est modifié":                             "code du travail",
		"le Code des pensions civiles et militaires de retraite, là": "code des pensions civiles et militaires de retraite",
		"le code de procédure pénale ou la loi":                      "code de procédure pénale",
		"le code de la famille et la loi":                            "code de la famille",
		"le code des douanes dont l’article":                         "code des douanes",
		"le code de l’enfant":                                        "code de l’enfant",
		"le CODE MINIER.":                                            "code minier",
		"le code postal":                                             "",
		"le code secret du coffre":                                   "",
		"le code civilisé":                                           "",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			for _, r := range read.Printed(text) {
				if got = r.Title; text[r.Start:r.End] == "" {
					t.Error("it stands nowhere")
				}
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, title string
		limit       int
		want        string
	}{
		{"short enough", "abc", 3, "abc"}, {"one too many", "abcd", 3, "ab…"}, {"a blank before the ellipsis", "abc def", 5, "abc…"},
		{"lines and wide blanks", " a\n b\u00a0 c ", 9, "a b c"}, {"letters, not bytes", "éèêë", 3, "éè…"}, {"one", "ab", 1, "…"}, {"nothing", "", 5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := law.Clip(c.title, c.limit); got != c.want || utf8.RuneCountInString(got) > c.limit {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestSmall(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"": "", "A": "a", "É": "é", "Loi n° 5": "loi n° 5", "LOI N° 5": "loi N° 5", "LOI": "loi", "ÉTAT civil": "état civil", "loi": "loi", "1er": "1er", "Annexe I": "annexe I",
	} {
		t.Run(s, func(t *testing.T) {
			if got := law.Small(s); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// The name of a text consists of the known data, without placeholders.
func TestCallTextByWhatIsKnown(t *testing.T) {
	t.Parallel()
	day := time.Date(2010, time.May, 3, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, got, want string
	}{
		{"its number and day", law.CallText(law.Loi, "2010-05", "", day), "Loi n° 2010-05 du 3 mai 2010"},
		{"its number before its title", law.CallText(law.Loi, "2010-05", "code du travail", time.Time{}), "Loi n° 2010-05"},
		{"its title", law.CallText("", "", "état civil", day), "État civil"},
		{"its day", law.CallText(law.Arrete, "", "", day), "Arrêté du 3 mai 2010"},
		{"its kind", law.CallText(law.Circulaire, "", "", time.Time{}), "Circulaire"},
		{"nothing", law.CallText("", "", "", time.Time{}), "Texte"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%q, want %q", c.got, c.want)
			}
		})
	}
}
