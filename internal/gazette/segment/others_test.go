package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/testkit/compare"
)

// Articles that an act gives to another text are not its own, though the marks around them are missing.
func TestAwaitedArticlesThatComeAgainAreAnothers(t *testing.T) {
	t.Parallel()
	x := split(t, `                 LOI N° 2019-12 DU 1ER MARS 2019
                 modifiant la loi n° 2001-7 relative au sel.

  L’Assemblée nationale a adopté la loi dont la teneur suit :

  Article premier : Les articles 2, 6 et 9 de la loi n° 2001-7 du 3 mai 2001 relative au sel
sont abrogés et remplacés par les dispositions suivantes :
  « Article premier : Le sel est libre. Chacun peut en vendre.
  Article 2 : Le sel gris est vendu au poids.
  Article 6 : Le sel fin est vendu en sachets.
  Article 9 : Les marchands tiennent un registre.
  Article 2 : L’article 2 bis de la loi n° 2001-7 du 3 mai 2001 est abrogé.
  Article 3 : La présente loi sera publiée au Journal officiel.
  Fait à Villebourg, le 1er mars 2019.
`, gazette.Hints{})
	same(t, "articles", strings.Join(numbersOf(x), " "), "1er 2 3")
}

func TestArticlesInRomanFiguresCount(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"Ier", "I"} {
		x := split(t, strings.NewReplacer("Art. 1er.", "Art. "+first+".", "Art. 2.", "Art. II.", "Art. 2 bis.", "Art. III.").Replace(decree), gazette.Hints{})
		want := map[string]string{"Ier": "1er II III", "I": "I II III"}[first]
		same(t, first, strings.Join(numbersOf(x), " "), want)
	}
}

// A gazette prints the law that orders it, and then the text as it stands since. If the text is not seen, the articles that
// begin again are a doubt.
func TestACoordinatedTextBeginsAgain(t *testing.T) {
	t.Parallel()
	issue := segment.Split(typed("  JOURNAL OFFICIEL\n  N° 3 du 6 mars 2019\n\n"+decree+`

          TEXTE COORDONNÉ DU 1ER MARS 2019
          du décret n° 2001-7 du 2 mai 2001 fixant le prix du sel gris.

  Art. 1er. — Le sel gris est vendu au poids.
  Art. 2. — Les marchands tiennent un registre.
`), gazette.Hints{})
	if len(issue.Texts) == 1 && len(issue.Texts[0].Doubts) == 0 {
		t.Errorf("articles %v without a doubt", numbersOf(issue.Texts[0]))
	}
}

// A law that is printed behind the act that promulgates it is a text of its own, of the day of that act.
func TestALawBehindTheActThatPromulgatesIt(t *testing.T) {
	t.Parallel()
	issue := segment.Split(typed(`
  Dahir n° 1-09-15 du 22 safar 1430 (18 février 2009) portant promulgation de la loi n° 09-08 relative au sel

  LOUANGE A DIEU SEUL !
  Vu la Constitution, notamment ses articles 26 et 58,
  A décidé ce qui suit :
  Est promulguée et sera publiée au Bulletin officiel, à la suite du présent dahir, la loi n° 09-08 relative au sel.

  Fait à Salins, le 22 safar 1430 (18 février 2009).
  Pour contreseing :
  Le Premier ministre,
  Ysoline BRÉHANCOURT


  Loi n° 09-08 relative au sel

  Article premier :
  Le sel gris est vendu au poids.
  Article 2 :
  Les marchands tiennent un registre.
`), gazette.Hints{})
	var got []string
	for _, x := range issue.Texts {
		got = append(got, day(x.Document.Promulgated)+" "+x.Document.Title+" "+strings.Join(numbersOf(x), " "))
	}
	want := []string{"2009-02-18 Dahir n° 1-09-15 du 18 février 2009 portant promulgation de la loi n° 09-08 relative au sel ", "2009-02-18 Loi n° 09-08 relative au sel 1er 2"}
	if d := compare.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// numbersOf returns the numbers of a text's articles.
func numbersOf(x gazette.Text) (out []string) {
	for _, a := range x.Articles {
		if a.Number != "" {
			out = append(out, a.Number)
		}
	}
	return out
}
