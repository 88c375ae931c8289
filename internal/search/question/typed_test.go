package question

import (
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Typed and pasted text is read as it would be printed.
func TestPastedReferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"accents as signs of their own": {norm.NFD.String("Que dit l’article 26 du décret n° 2023-07 ?"), "26@decret 2023-07"},
		"a day with such accents":       {norm.NFD.String("l’arrêté du 1er février 2004"), "@arrete 2004-02-01"},
		"a blank without a width":       {"article 26 de la loi\u200b n° 2023-0\u200b7", "26@loi 2023-07"},
		"a soft hyphen":                 {"loi n° 2023\u00ad-07", "@loi 2023-07"},
		"a byte order mark":             {"\ufeffarticle 26 de la loi n° 2023-07", "26@loi 2023-07"},
		"a hyphen that does not break":  {"l’article\u00a026 de la loi\u00a0n°\u00a02023\u201107", "26@loi 2023-07"},
		"a dash":                        {"loi n°\u202f2023–07", "@loi 2023-07"},
		"a dash between blanks":         {"article 26 de la loi n° 2023 - 07", "26@loi 2023-07"},
		"the year behind such a dash":   {"article 26 de la loi n° 05 – 2020", "26@loi 05-2020"},
		"no two groups of a number":     {"la loi n° 5 - 12 jours de congé", "@loi 5"},
		"no blank behind article":       {"article26 de la loi n° 2023-07", "26@loi 2023-07"},
		"nor behind art":                {"art5 loi 2023-07", "5@loi 2023-07"},
		"an ordinal sign for a degree":  {"loi nº 2023-07", "@loi 2023-07"},
		"no blank at all":               {"LOI N°2023-07", "@loi 2023-07"},
		"letters for the sign":          {"loi no 2023-07", "@loi 2023-07"},
		"a phone number":                {"appelez le 70-12-34-56", ""},
		"a day in figures":              {"le 06/12/2020", ""},
		"no text, only its kind":        {"le code, la loi et le décret", ""},
		"cut off behind the sign":       {"que dit la loi n°", ""},
		"cut off behind the article":    {"que dit l’article", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := shown(Read(c.text, Conversation{}).References); got != c.want {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// The texts that earlier questions and answers name are found in any spelling.
func TestPastedConversations(t *testing.T) {
	t.Parallel()
	for name, previous := range map[string]Conversation{
		"a question": {Asked: []string{norm.NFD.String("Que dit l’article 26 du décret n° 2010-05 ?")}},
		"an answer":  {Asked: []string{"Quel délai ?"}, Answers: []string{norm.NFD.String("L’article 26 du décret n° 2010-05 dit : …")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := shown(Read(norm.NFD.String("Et l’article précédent ?"), previous).References); got != "25@decret 2010-05" {
				t.Errorf("pointed at %q", got)
			}
			last, ok := previous.LastText(func(r Reference) bool { return r.Number == "2010-05" })
			if !ok || last.Type != "decret" {
				t.Errorf("last text %+v, %v", last, ok)
			}
			if _, ok := previous.LastText(func(Reference) bool { return false }); ok {
				t.Error("a text that nobody knows is the last one")
			}
		})
	}
}

// The name of a text begins with a word for its kind, not with letters of another word.
func TestNamesBeginWithAWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"L’article 5 du code de l’emploi":           "code de l’emploi",
		"L’article 5 du code de l'exploitation":     "code de l'exploitation",
		"Que dit le décret-loi n° 2020-12 ?":        "décret-loi n° 2020-12",
		"art. 3 de l'ordonnance n° 62-12, alinéa 2": "ordonnance n° 62-12",
		"Les arrêtés n° 2024-15":                    "arrêtés n° 2024-15",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			refs := Read(text, Conversation{}).References
			if len(refs) != 1 || refs[0].Name != want {
				t.Errorf("%+v, want one named %q", refs, want)
			}
		})
	}
}

// A text may be named by its year or date, with or without a country before it.
func TestTextsByYearAndDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"la loi de 2024 contre l’usure":            "@loi 2024",
		"la loi béninoise de 2024 contre l’usure":  "@loi 2024",
		"le décret de l’année 2015":                "@decret 2015",
		"la loi 2015":                              "@loi 2015",
		"la loi fondamentale de 2015":              "",
		"la loi de finances pour l’année 2031":     "@loi loi de finances 2031",
		"la loi de finances rectificative 2031":    "@loi loi de finances rectificative 2031",
		"l’arrêté malien du 10 septembre 2004":     "@arrete 2004-09-10",
		"l’arrêté du 3/5/2010":                     "@arrete 2010-05-03",
		"la loi du 31 février 2010":                "",
		"la loi du 1er janvier 0001":               "",
		"l’ordonnance du 3 mai":                    "",
		"la loi n° 2010-05 en date du 3 mai 2010":  "@loi 2010-05",
		"le contrat de 2015":                       "",
		"la loi de 20155":                          "",
		"l’arrêté fort discuté du 10 octobre 2004": "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := shown(Read(text, Conversation{}).References); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	refs := References("la loi sénégalaise n° 2010-05 en date du 3 mai 2010")
	if len(refs) != 1 || !refs[0].Date.Equal(time.Date(2010, time.May, 3, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("the day behind the number: %+v", refs)
	}
}
