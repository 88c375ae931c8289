package titles

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
)

// TestTitlesInRunningWords checks printed titles and how the catalogue shows them.
func TestTitlesInRunningWords(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"LOI N° 70-03 DU 3 FEVRIER 2004 portant Code de la famille":                                   "Loi n° 70-03 du 3 février 2004 portant Code de la famille",
		"LOI  N°2000-015 DU  19 DECEMBRE 2000, relative au financement":                               "Loi n° 2000-015 du 19 décembre 2000 relative au financement",
		"DECRET N°2005-3018 du 21 AOUT 2005 portant application de l'article 5":                       "Décret n° 2005-3018 du 21 août 2005 portant application de l'article 5",
		"CIRCULAIRE AUX BANQUES NON RESIDENTES N°86-13 OBJET : Activité des banques":                  "Circulaire aux banques non residentes n° 86-13 : Activité des banques",
		"Circulaire n° 2021-05 du 19 août 2021 Objet: Cadre de gouvernance":                           "Circulaire n° 2021-05 du 19 août 2021 : Cadre de gouvernance",
		"ARRETE INTERMINISTERIEL N° 118/MF DU 2 AVRIL 2019 fixant le prix du sel":                     "Arrêté interministériel n° 118/MF du 2 avril 2019 fixant le prix du sel",
		"Loi n° 2016-48 du 11 juillet 2016, relative aux banques (1).":                                "Loi n° 2016-48 du 11 juillet 2016 relative aux banques",
		"Loi n° 2016-48 du 11 juillet 2016, relative au sel (1). (Jort n° 9 du 7 août 2016, page 27)": "Loi n° 2016-48 du 11 juillet 2016 relative au sel",
		"Loi n° 2016-48 du 11 juillet 2016, relative au sel (JO du 7 août 2016) (2)":                  "Loi n° 2016-48 du 11 juillet 2016 relative au sel",
		"Loi n° 2016-48 du 11 juillet 2016, relative à la société Sel S.A. (1)":                       "Loi n° 2016-48 du 11 juillet 2016 relative à la société Sel S.A.",
		"Loi n° 2016-48 du 11 juillet 2016, relative au sel (joint à la carte)":                       "Loi n° 2016-48 du 11 juillet 2016 relative au sel (joint à la carte)",
		"Loi du 29 novembre 1994 portant création du sel (Moniteur n° 103, 28 décembre 1994)":         "Loi du 29 novembre 1994 portant création du sel",
		"Loi n° 94-41 du 7 mars 1994, relative au sel (publiée au journal officiel n° 3)":             "Loi n° 94-41 du 7 mars 1994 relative au sel",
		"Décret-loi n° 2022-2 du 4 janvier 2022, portant organisation":                                "Décret-loi n° 2022-2 du 4 janvier 2022 portant organisation",
		"Dahir n° 1-04-22 du 12 hija 1424 (3 février 2004) portant promulgation du statut":            "Dahir n° 1-04-22 du 3 février 2004 portant promulgation du statut",
		"Arrêté n° 1373 du 4 juin 2025. M. PERSONNE (Jean) est nommé attaché.":                        "Arrêté n° 1373 du 4 juin 2025",
		"(LOI N° 2019-3 DU 2 MARS 2019 relative au sel)":                                              "Loi n° 2019-3 du 2 mars 2019 relative au sel",
		"Ordonnance n° 62-OF-91 du 3 mars 1962 relative au sel * 1":                                   "Ordonnance n° 62-OF-91 du 3 mars 1962 relative au sel",
		"LOI CADRE n° 12 du 1ER JUIN 1999 sur le sel":                                                 "Loi-cadre n° 12 du 1er juin 1999 sur le sel",
		"NOTE CIRCULAIRE N° 12/MF du 1er juin 1999 : paiement des taxes sur le sel":                   "Note circulaire n° 12/MF du 1er juin 1999 paiement des taxes sur le sel",
		"LOI N°: CL-2009-09 LOI PORTANT RÉFORME DU SEL":                                               "Loi n° CL-2009-09 PORTANT RÉFORME DU SEL",
		"Décision n° 2019-12 du 1er mars 2019 relative à l’agrément d’un saunier de la saline":        "Décision n° 2019-12 du 1er mars 2019 relative à l’agrément d’un saunier de la saline",
	} {
		var h Title
		ok := h.Read(printed)
		if ok != (want != "") || ok && h.String() != want {
			t.Errorf("%q:\n got %q\nwant %q", printed, h.String(), want)
		}
	}
}

// TestTheDayOfACodeFollowsItsName checks that the date of a code follows its whole name, whether the date is
// in the title or was read elsewhere, and that the date of any other text precedes its object.
func TestTheDayOfACodeFollowsItsName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ printed, elsewhere, want string }{
		{"Code pénal", "6 juin 2005", "Code pénal du 6 juin 2005"},
		{"CODE PENAL", "6 JUIN 2005", "CODE PENAL du 6 juin 2005"},
		{"Code pénal", "", "Code pénal"},
		{"CODE PENAL", "", "CODE PENAL"},
		{"Code de la route", "1er février 2005", "Code de la route du 1er février 2005"},
		{"Code de procédure pénale et lois annexes", "6 juin 2005", "Code de procédure pénale et lois annexes du 6 juin 2005"},
		{"Code pénal du 6 juin 2005", "", "Code pénal du 6 juin 2005"},
		{"CODE PENAL DU 6 JUIN 2005", "", "Code penal du 6 juin 2005"},
		{"Code pénal (6 juin 2005)", "", "Code pénal du 6 juin 2005"},
		{"Code du 6 juin 2005 de la route", "", "Code de la route du 6 juin 2005"},
		{"Code du travail (loi n° 5-12 du 6 juin 2005)", "", "Code du travail"},
		{"Constitution de la République du Sel", "6 juin 2005", "Constitution de la République du Sel du 6 juin 2005"},
		{"Constitution", "6 juin 2005", "Constitution du 6 juin 2005"},
		{"Loi constitutionnelle portant révision du préambule", "6 juin 2005", "Loi constitutionnelle du 6 juin 2005 portant révision du préambule"},
		{"Code n° 12 relatif au sel", "6 juin 2005", "Code n° 12 du 6 juin 2005 relatif au sel"},
		{"Arrêté portant création de la saline", "6 juin 2005", "Arrêté du 6 juin 2005 portant création de la saline"},
		{"Loi sur le sel", "6 juin 2005", "Loi du 6 juin 2005 sur le sel"},
	} {
		var h Title
		if !h.Read(c.printed) {
			t.Fatalf("%q is no title", c.printed)
		}
		if c.elsewhere != "" {
			h.Dated = c.elsewhere
		}
		if got := h.String(); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.printed, c.elsewhere, got, c.want)
		}
	}
}

// TestDatesOverTitles checks the date line of a letter.
func TestDatesOverTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines     []string
		day, said string
	}{
		{[]string{"Tunis, le 19 août 2021", "CIRCULAIRE"}, "2021-08-19", "19 août 2021"},
		{[]string{"Tunis, le 6 Mai 19861"}, "1986-05-06", "6 Mai 1986"}, // with the mark of a footnote
		{[]string{"Dakar, le 3 mai 1994", "Le ministre", "à", "Messieurs"}, "1994-05-03", "3 mai 1994"},
		{[]string{"Tunis, le 19 août 2021", "un", "deux", "trois", "quatre"}, "", ""}, // too far above
		{[]string{"Vu la loi du 19 août 2021"}, "", ""},
		{nil, "", ""},
	} {
		var h Title
		h.ReadAbove(plainLines(c.lines...))
		got := ""
		if !h.Date.IsZero() {
			got = h.Date.Format(time.DateOnly)
		}
		if got != c.day || h.Dated != c.said {
			t.Errorf("%q: %s, said as %q", c.lines, got, h.Dated)
		}
	}
}

// TestBadlyRecognizedTitles checks that a kind and a number are read anywhere on a line if the file's name
// confirms them.
func TestBadlyRecognizedTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, file, number string
		sure               bool
	}{
		{"BURKtNA FASO Décret N'2000- 190/PRES", "decret-2000-190-pca.pdf", "2000-190", true},
		{"Decrer n° 2 01 6/ É 16 ou. D 4 AOÛT 2016", "decret-2016-375-carte.pdf", "2016/375", true},
		{"Arrété n° 2019-12 du sel", "scan.pdf", "2019-12", false},
		{"Arrété n° 2019-12 du sel", "arrete-2018-12.pdf", "2019-12", false}, // another year
		{"Arrété n° 2019-12 du sel", "decret-2019-12.pdf", "2019-12", false}, // another kind
	} {
		var h Title
		if !h.readLoose(plainLines(c.line), c.file) {
			t.Errorf("%q is not read", c.line)
			continue
		}
		if h.Number != c.number || (h.Trust >= remarks.Sure) != c.sure {
			t.Errorf("%q of %s: %s, trust %v", c.line, c.file, h.Number, h.Trust)
		}
	}
	var h Title
	if h.readLoose(plainLines("Le décret fixe le prix du sel"), "") {
		t.Error("a sentence is read as a title")
	}
	if h = (Title{}); h.readLoose(plainLines("she 2001/95 mao", "fixant les modalités d'application de la loi n°2000/10"), "") {
		t.Errorf("a cited law is read as a title: %s", h.Number)
	}
}

// TestSignsOfNumbers checks that a number from a file's name gets the sign that a misread title shows.
func TestSignsOfNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"LOLN 4000/010 du 19": "2000/010",
		"N° 2000-010 du 19":   "2000-010",
		"LOLN 5000/310 du 19": "2000-010",
		"":                    "2000-010",
	} {
		if h := ReadLone(plainLines("RÉPUBLIQUE DU SEL", text), 0, "loi-2000-010-sel.pdf"); h.Number != want {
			t.Errorf("%q: %s", text, h.Number)
		}
	}
}

// TestFileNames checks the names that people give to files of laws.
func TestFileNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"loi-2000-015-financement-partis.pdf": {"loi", "2000-015"},
		"decret-2016-375-carte-identite.pdf":  {"decret", "2016-375"},
		"Loi_n_98-97.pdf":                     {"loi", "98-97"},
		"arrete n 12-2019.pdf":                {"arrete", "12-2019"},
		"code-du-travail.pdf":                 {"code", ""},
		"constitution-1996.pdf":               {"constitution", ""},
		"LOI 61-33.PDF":                       {"loi", "61-33"},
		"scan0001.pdf":                        {"", ""},
		"emploi-2019-3.pdf":                   {"", ""},
	} {
		kind, number := nameOf(name)
		if got := [2]string{kind, number}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// plainLines makes lines of texts, without places.
func plainLines(texts ...string) []line.Line {
	var out []line.Line
	for _, t := range texts {
		var l layout.Line
		for w := range strings.FieldsSeq(t) {
			l.Words = append(l.Words, layout.Word{Text: w})
		}
		out = append(out, line.Line{Line: l, Text: t, Opens: true})
	}
	return out
}
