package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// TestDatesAreSought checks where the date of a text is found that its title does not give:
// a line that can only be its date settles it, any other is proposed to a person.
func TestDatesAreSought(t *testing.T) {
	t.Parallel()
	const visas = "\n  Vu la Constitution ;\n\n                      Décrète :\n\n  Article 1er. — Le sel est libre.\n  Article 2. — Le présent décret est publié.\n"
	for _, c := range []struct{ name, text, day, words, doubt string }{
		{"under the title", "          DÉCRET N° 2010-12 portant création des salines\n\n                    Du 3 mai 2010\n" + visas, "2010-05-03", "Du 3 mai 2010", ""},
		{"stamped above the title", "                    04 AOU 2010\n\n          DÉCRET N° 2010-12 portant création des salines\n" + visas, "2010-08-04", "04 AOU 2010", ""},
		{"in English", "          DÉCRET N° 2010-12 portant création des salines\n" + visas + "\n     Done at Villebourg, on the 3rd of May 2010\n", "0001-01-01", "", "Aucune date de promulgation n’a été trouvée."},
		{"signed in English", "          DÉCRET N° 2010-12 portant création des salines\n" + visas + "\n     Villebourg, the 3rd May 2010\n", "2010-05-03", "Villebourg, the 3rd May 2010", ""},
		{"promulgated, then copied", "          DÉCRET N° 2010-12 portant création des salines\n" + visas +
			"\n                    Promulgué à Villebourg, le 3 mai 2010\n\n                    Pour ampliation conforme\n                    Villebourg, le 9 mai 2010\n", "2010-05-03", "3 mai 2010", ""},
		{"stamped higher than its line", "          DÉCRET N° 2010-12 portant création des salines\n" + strings.Replace(visas, "publié.\n", "publié. 3 mai 2010\n", 1) + "  Fait à Villebourg, le\n", "2010-05-03",
			"Fait à Villebourg, le 3 mai 2010", ""},
		{"in force above its line", "          DÉCRET N° 2010-12 portant création des salines\n" + strings.Replace(visas, "publié.\n", "publié le 3 mai 2010.\n", 1) + "  Fait à Villebourg, le\n", "0001-01-01",
			"", "Aucune date de promulgation n’a été trouvée."},
		{"in the Hijri calendar alone", "          DÉCRET N° 2010-12 DU 14 REJEB 1431 portant création des salines\n" + visas, "2010-06-26", "14 REJEB 1431",
			"La date n’est imprimée que dans le calendrier hégirien : elle est convertie au 26 juin 2010, à un jour près."},
		{"misread", "          DÉCRET N° 2010-12 DU l2 JU1LLET 2010 portant création des salines\n" + visas, "2010-07-12", "l2 JU1LLET 2010", "La date de promulgation est à confirmer."},
		{"of another text", "          DÉCRET N° 2010-12 portant application de la loi n° 2009-3 du 3 mai 2009\n" + visas, "0001-01-01", "", "Aucune date de promulgation n’a été trouvée."},
		{"of another text, on the next line", "          DÉCRET N° 2010-12 portant modificatif du décret n° 2010-\n          113/PM du 18 mars 2010 portant création des salines\n" + visas, "0001-01-01", "", "Aucune date de promulgation n’a été trouvée."},
		{"of the file", "   Imprimé le 3 mai 2010\n\n          DÉCRET N° 2010-12 portant création des salines\n" + visas, "0001-01-01", "", "Aucune date de promulgation n’a été trouvée."},
		{"of another year", "                    04 AOUT 2019\n\n          DÉCRET N° 2010-12 portant création des salines\n" + visas, "0001-01-01", "", "Aucune date de promulgation n’a été trouvée."},
		{"perhaps", "   Version diffusée pour la session du 3 mai 2010 du Conseil\n\n          DÉCRET N° 2010-12 portant création des salines\n" + visas, "2010-05-03",
			"Version diffusée pour la session du 3 mai 2010 du Conseil", "La date est proposée d’après cette ligne : elle est à confirmer."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := split(t, c.text, gazette.Hints{})
			doubt := ""
			for _, d := range x.Doubts {
				if d.Field == "date_promulgation" {
					doubt = d.Why.Sentence()
				}
			}
			same(t, c.name, day(x.Document.Promulgated)+" | "+evidence(x, "date_promulgation").Words+" | "+doubt, c.day+" | "+c.words+" | "+c.doubt)
		})
	}
}

// TestSignaturesDateNoTextBelow checks that the day at the end of a text is not that of the text printed under it.
func TestSignaturesDateNoTextBelow(t *testing.T) {
	t.Parallel()
	const visas = "\n  Vu la Constitution ;\n\n                      Arrête :\n\n  Article 1er. — Le sel est libre.\n  Article 2. — Le présent arrêté est publié.\n"
	got := segment.Split(typed("          ARRÊTÉ N° 2005-46 DU 6 JUIN 2005 portant réforme des salines\n"+visas+"\n  Villebourg, le 6 juin 2005.\n\n"+
		"          ARRÊTÉ N° 2005-51 portant création des salines\n"+visas), gazette.Hints{})
	if len(got.Texts) != 2 {
		t.Fatalf("%d texts, want 2", len(got.Texts))
	}
	same(t, "title", got.Texts[1].Document.Title, "Arrêté n° 2005-51 portant création des salines")
}
