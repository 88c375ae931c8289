package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
)

// TestDateContradictedByTheSignature checks that a title with another date than the signature is doubted,
// and that the doubt names both dates.
func TestDateContradictedByTheSignature(t *testing.T) {
	t.Parallel()
	const signed = "Fait à Villebourg, le 1er mars 2019."
	for _, c := range []struct{ name, close, doubt string }{
		{"the same day", signed, ""},
		{"another day", "Fait à Villebourg, le 11 mars 2019.", "Le titre est daté du 1er mars 2019, et le texte, page 1, signé le 11 mars 2019."},
		{"an earlier day", "Donné à Villebourg, le 28 février 2019.", "Le titre est daté du 1er mars 2019, et le texte, page 1, signé le 28 février 2019."},
		{"two calendars", "Fait à Villebourg, le 23 Joumada Ethania 1440 correspondant au 1er mars 2019.", ""},
		{"no day", "Fait à Villebourg.", ""},
		{"a day that cannot be read", "Fait à Villebourg, le 1l rnars 2O19.", ""},
		{"the day of the vote", "Délibéré et adopté en séance publique, à Villebourg, le 12 février 2019.", ""},
		{"two days", signed + "\n  Fait à Salins, le 3 mars 2019.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := split(t, strings.Replace(decree, signed, c.close, 1), gazette.Hints{})
			same(t, "day", day(x.Document.Promulgated), "2019-03-01")
			got := ""
			for _, d := range x.Doubts {
				if d.Field == "date_promulgation" {
					got += d.Why.Sentence()
				}
			}
			same(t, "doubt", got, c.doubt)
		})
	}
}

// A law is promulgated after the assemblies voted it, and each of them dates its vote.
func TestALawThatWasVotedBefore(t *testing.T) {
	t.Parallel()
	x := split(t, `
            LOI N° 2016-1 REMPLAÇANT LE DÉCRET DU 16 FÉVRIER 2005
                SUR LE PROCESSUS D'ÉLABORATION ET D'EXÉCUTION
                             DES LOIS DE FINANCES

  Vu la Constitution ;
  Le Corps Législatif a voté la Loi suivante :
  Article 1.- Le sel gris est vendu au poids.
  Article 2.- La présente loi abroge toutes dispositions contraires.

  Fait au Sénat de la République, à Port-Sel, le 4 mai 2016, An 213e de l'Indépendance.
  Le Président : Lucas FOURNIER

  Donné au Palais National, à Port-Sel, le 23 janvier 2017, An 214e de l'Indépendance.
  Le Président : Ysoline BRÉHANCOURT
`, gazette.Hints{})
	same(t, "day", day(x.Document.Promulgated), "2017-01-23")
	same(t, "title", x.Document.Title, "Loi n° 2016-1 remplaçant le décret du 16 février 2005 sur le processus d'élaboration et d'exécution des lois de FINANCES")
}

// TestSignaturesInAnAnnexAreIgnored checks that the date of a signature in an annex is ignored: it is the date of the
// approved act.
func TestSignaturesInAnAnnexAreIgnored(t *testing.T) {
	t.Parallel()
	x := split(t, decree+"\n                             ANNEXE\n                    Accord sur le sel\n  Article 1er : Le sel est partagé.\n  Fait à Salins, le 3 janvier 2019.\n", gazette.Hints{})
	if f := fields(x.Doubts); len(f) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
}
