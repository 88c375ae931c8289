package segment_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// Some gazettes print a nature alone over the object, and the day only where an act was signed.
func TestATitleThatNamesItsNatureAlone(t *testing.T) {
	t.Parallel()
	act := func(nature, object, day string) string {
		return "\n                         " + nature + "\n                   " + object + `

  LE PRÉSIDENT DE LA RÉPUBLIQUE,
  Vu la Constitution ;
  Vu le décret n° 2001-7 du 2 mai 2001 relatif au sel ;

                         ARRÊTE :

  Article 1er.- Le prix du sel est libre.
  Article 2.- Le présent acte sera publié.
  Donné au Palais national, à Villebourg, le ` + day + `, An 12e de la République et du Marché.

                       Le Président de la République,
                        Jean VILLEDIEU
`
	}
	issue := segment.Split(typed("  JOURNAL OFFICIEL\n  N° 3 du 6 mars 2019\n"+act("ARRÊTÉ", "FIXANT LE PRIX DU SEL", "1er mars 2019")+act("ARRÊTÉ", "NOMMANT LE DIRECTEUR DU SEL", "2 mars 2019")), gazette.Hints{})
	if len(issue.Texts) != 2 {
		t.Fatalf("%d texts", len(issue.Texts))
	}
	for i, day := range []string{"2019-03-01", "2019-03-02"} {
		x := issue.Texts[i]
		if got := x.Document.Promulgated.Format(time.DateOnly); got != day || x.Document.Nature != "Arrêté" || len(numbersOf(x)) != 2 {
			t.Errorf("%q of %s, articles %v, doubts %v", x.Document.Title, got, numbersOf(x), x.Doubts)
		}
	}
}

// An act may say all in a sentence without a number, above its signature. Without that sentence its articles are missing.
func TestAnActOfOneSentence(t *testing.T) {
	t.Parallel()
	act := `
  DAHIR N° 1-04-22 DU 3 FÉVRIER 2004 PORTANT PROMULGATION DE LA LOI N° 70-03 PORTANT CODE DU SEL.

  Notre Majesté,
  Vu la Constitution, notamment ses articles 26 et 58,

                     A DÉCIDÉ CE QUI SUIT :

`
	for body, want := range map[string]string{"": "articles",
		"  Est promulguée et sera publiée, à la suite du présent dahir, la loi n° 70-03 portant code du sel.\n\n": ""} {
		x := split(t, act+body+"  Fait à Villebourg, le 3 février 2004.\n\n                       Le Premier ministre,\n                        Jean VILLEDIEU\n", gazette.Hints{})
		same(t, body, strings.Join(fields(x.Doubts), " "), want)
	}
}
