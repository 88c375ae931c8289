package titles

import (
	"strings"
	"testing"
	"time"
)

func TestHeadsOfTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, want string }{ // label, type, sure, number, date, object
		{"LOI N° 2023-07 DU 14 MARS 2023 portant Code du travail", "Loi loi 2023-07 2023-03-14 portant Code du travail"},
		{"Loi organique n°2012-4 du 1er juin 2012, relative aux finances", "Loi organique loi 2012-4 2012-06-01 relative aux finances"},
		{"LOI CONSTITUTIONNELLE N° 96/06 DU 18 JANVIER 1996", "Loi constitutionnelle constitution 96/06 1996-01-18 "},
		{"LOI N° 2025 - 07 DU 24 MARS 2025 portant statut", "Loi loi 2025-07 2025-03-24 portant statut"},
		{"Décret N°2000-190/PRES/PM/MCIA du 17 mai 2000, portant attributions", "Décret decret 2000-190/PRES/PM/MCIA 2000-05-17 portant attributions"},
		{"DECRET-LOI n° 61-14 du 30 août 1961", "Décret-loi loi 61-14 1961-08-30 "},
		{"Décret gouvernemental n° 2018-840 du 11 octobre 2018", "Décret gouvernemental decret 2018-840 2018-10-11 "},
		{"Arrêté interministériel n° 118/MF du 2 avril 2019", "Arrêté interministériel arrete 118/MF 2019-04-02 "},
		{"Arrêté du ministre n° 118 du 2 avril 2019", "Arrêté arrete 118 2019-04-02 "},
		{"Décrets gubernatoriaux du 2 avril 2019", "Décret gubernatorial decret  2019-04-02 "},
		{"Ordonnance n° 62-OF-91 du 3 mars 1962", "Ordonnance loi 62-OF-91 1962-03-03 "},
		{"Circulaire aux banques n° 86-13 du 6 mai 1986", "Circulaire circulaire 86-13 1986-05-06 "},
		{"Décision n° 12 du 3 mars 2020", "Décision arrete 12 2020-03-03 "},
		{"Instruction n° 4 du 3 mars 2020", "Instruction circulaire 4 2020-03-03 "},
		{"Règlement n° 15-2002/CM/UEMOA du 19 septembre 2002", "Règlement loi 15-2002/CM/UEMOA 2002-09-19 "},
		{"Dahir n° 1-03-194 du 14 rejeb 1424 (11 septembre 2003) portant promulgation de la loi n° 65-99 relative au Code du travail",
			"Loi loi 65-99 2003-09-11 relative au Code du travail"},
		{"Dahir n° 1-58-008 du 4 chaabane 1377 (24 février 1958) portant statut de la fonction publique", "Dahir loi 1-58-008 1958-02-24 portant statut de la fonction publique"},
		{"Texte coordonné du 1er mars 2019, des lois ayant pour objet le sel", "Texte coordonné loi  2019-03-01 des lois ayant pour objet le sel"},
		{"LOI N° 72-03 FIXANT LE PRIX DU SEL", "Loi loi 72-03 none FIXANT LE PRIX DU SEL"},
		{"Loi n° 2016-48 du 11 juillet 2016, relative aux banques (1).", "Loi loi 2016-48 2016-07-11 relative aux banques"},
	} {
		var h Title
		if !h.Read(c.title) {
			t.Errorf("%q is no head", c.title)
			continue
		}
		date := "none"
		if !h.Date.IsZero() {
			date = h.Date.Format(time.DateOnly)
		}
		if got := strings.Join([]string{h.Kind.Label, string(h.Kind.Type), h.Number, date, h.Object}, " "); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.title, got, c.want)
		}
	}
}

func TestFormulasAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Décrète :": true, "ARRÊTE :": true, "ARRÊTÉ": false, "Le ministre arrête :": false, "Décrète que le sel est libre :": false} {
		if got := Formula.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWhatIsNoHead(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"La loi n° 3", "Loisirs n° 3", "n° 3", "", "Le sel"} {
		var h Title
		if h.Read(title) {
			t.Errorf("%q is %+v", title, h)
		}
	}
}

func TestOriginNotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"(Loi n° 83-53 du 18 février 1983)":                  true,
		"{Loi n° 83-53 du 18 février 1983)":                  true,
		"(Loi n° 61-33 du IS juin 1961)":                     true,
		"(Modifié par la loi n° 2005-65 du 27 juillet 2005)": true,
		"(Abrogé par l’art 5 de la loi n° 2005-65)":          true,
		"Loi n° 83-53 du 18 février 1983":                    false,
		"(Loi n° 65-99 relative au Code du travail)":         true,
		"(1) Les sauniers sont nommés par décret n° 3":       false,
		"(supprimé)": false,
	} {
		if got := OriginNote.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestMakesCode(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"LOI N° 2023-07 DU 14 MARS 2023 portant Code du travail":                         true,
		"LOI N° 98-97 du 27 novembre 1998 portant promulgation du code de droit privé":   true,
		"LOI N° 2020-05 du 10 janvier 2020 modifiant la loi n° 65-60 portant Code pénal": false,
		"Décret n° 2014-1212 du 22 septembre 2014 portant Code des marchés publics":      false,
		"LOI N° 2025-9 du 21 mai 2025 complétant le code du travail":                     false,
		"LOI N° 65-99 relative au Code du travail":                                       true,
		"LOI N° 2005-46 portant réorganisation de quelques dispositions du code du sel":  false,
	} {
		var h Title
		if !h.Read(title) || h.MakesCode() != want {
			t.Errorf("%q: %v", title, h.MakesCode())
		}
	}
}

// A title reads as that of a text, or a person is asked.
func TestTitlesRead(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"Loi n° 2023-07 du 14 mars 2023 portant Code du travail":                              true,
		"Loi n° 2004-575 du 21 juin 2004 pour la confiance dans l'économie numérique":         true,
		"Décret du 9 juillet 1913 (5 chaâbane 1331).":                                         true,
		"Décret-loi n° 61-14 du 30 août 1961 (19 rabia I 1381), relatif aux activités":        true,
		"Règlement n° 1950/2006 du 13 décembre 2006 établissant, conformément à la directive": true,
		"Circulaire aux banques n° 2021-05 du 19 août 2021 : Cadre de gouvernance":            true,
		"Décret n° portant nomenclature budgétaire":                                           true,
		"Code pénal": true,
		"Circulaire No BÜ 20 SEP 297 RELATIVE AUX ACTIVIT ES":          false,
		"Décret n° 65-906 du 23 décembre 1965 |portant armoiries":      false,
		"Loi n° 65-9 du 23 décembre 1965 Code des salines ........ 12": false,
		"DIRECTEUR GENERAL sPillems Edonard":                           false,
		"Décret n° 2014-679 portant statut général (EPPS). IAE N00S3à": false,
	} {
		var h Title
		if h.Read(title); h.Reads() != want {
			t.Errorf("%q reads %t", title, !want)
		}
	}
	if (Title{Kind: KindOf("Code"), Guessed: true, Object: "LISTE DES PRINCIPALES"}).Reads() {
		t.Error("a nature that only the file's name has")
	}
}
