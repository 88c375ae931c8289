package refer

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
)

// known returns a text of the catalogue.
func known(title string, kind law.DocType, number, day, country string) named.Candidate {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return named.CandidateOf(postgres.NamedText{Document: law.Document{Title: title, Type: kind, OfficialNumber: number, Promulgated: date}, Countries: []string{country}})
}

var shelf = []named.Candidate{
	known("Loi n° 2010-05 du 3 mai 2010 relative aux meuniers", law.Loi, "2010-05", "2010-05-03", "bj"),
	known("Décret n° 2010-05 du 9 mai 2010", law.Decret, "2010-05", "2010-05-09", "sn"),
	known("Décret n° 2000-190/PRES/PM du 17 mai 2000", law.Decret, "2000-190/PRES/PM", "2000-05-17", "bf"),
	known("Loi n° 65-99 relative au Code du travail", law.Code, "65-99", "2003-09-11", "ma"),
	known("Loi n° 28-2008 portant code du travail au Burkina Faso", law.Code, "28-2008", "2008-05-13", "bf"),
	known("Loi n° 2020-9 modifiant le code du travail", law.Loi, "2020-9", "2020-02-01", "bf"),
	known("Loi n° 2024-15 du 23 mai 2024 portant répression de l'usure", law.Loi, "2024-15", "2024-05-23", "bj"),
	known("Acte uniforme relatif au droit de la médiation", law.Loi, "", "2017-11-23", "ohada"),
}

func TestNamesInSentences(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Loi n° 2010-05 du 3 mai 2010": "la loi n° 2010-05 du 3 mai 2010 abrogée",
		"Décret n° 2011-7":             "le décret n° 2011-7 abrogé",
		"Arrêté n° 12":                 "l’arrêté n° 12 abrogé",
		"Ordonnance n° 5-2020":         "l’ordonnance n° 5-2020 abrogée",
		"Acte uniforme sur la vente":   "l’acte uniforme sur la vente abrogé",
		"Code civil":                   "le Code civil abrogé",
		"Moudawana":                    "le texte « Moudawana » abrogé",
	} {
		x := named.CandidateOf(postgres.NamedText{Document: law.Document{Title: title}})
		if got := theText(x) + " " + agree(x, "abrogé"); got != want {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
	for got, want := range map[string]string{
		theName("loi n° 2031-05"): "la loi n° 2031-05", theName("n° 2031-05"): "le texte n° 2031-05", theName("décret exécutif n° 07-140"): "le décret exécutif n° 07-140",
		theName("AUSCGIE"): "le texte « AUSCGIE »", listArticles([]string{"3"}): "l’article 3", listArticles([]string{"3", "5", "7"}): "les articles 3, 5 et 7",
		article("Annexe I", ""): "l’annexe I", article("", "Préambule"): "la partie « Préambule »", ofThe("le code pénal"): "du code pénal",
		law.Capital("éteint"): "Éteint", quoteWords("il dit « oui » et «non»"): "« il dit “oui” et “non” »",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLongArticlesAreShortened(t *testing.T) {
	t.Parallel()
	if text, cut := shorten(" Court. ", 100); cut || text != "Court." {
		t.Errorf("%q, %v", text, cut)
	}
	sentences := strings.Repeat("La meule tourne de jour comme de nuit. ", 100)
	if text, cut := shorten(sentences, 200); !cut || !strings.HasSuffix(text, "nuit. […]") || utf8.RuneCountInString(text) > 300 {
		t.Errorf("%q, %v", text, cut)
	}
	if text, cut := shorten(strings.Repeat("mot ", 2000), 200); !cut || utf8.RuneCountInString(text) > 210 || !utf8.ValidString(text) {
		t.Errorf("%q, %v", text, cut)
	}
	if text, cut := shorten(strings.Repeat("é", 3000), 200); !cut || !utf8.ValidString(text) {
		t.Errorf("%q, %v", text, cut)
	}
}
