package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/testkit/compare"
)

// describeWordings returns, for each new wording, what it belongs to and its words.
func describeWordings(x gazette.Text) []string {
	var out []string
	for _, w := range x.Wordings {
		r, a := x.Relations[w.Relation], x.Wording(w)
		kind := map[bool]string{true: "insere", false: "remplace"}[w.Inserted]
		out = append(out, strings.Join([]string{x.Articles[w.Article].Number, kind, r.TargetNumber + r.TargetTitle, a.Number, a.Text}, "|"))
	}
	return out
}

func TestWordings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says string
		want []string
	}{
		"one pair of marks for two": {`Les articles 3 et 4 de la loi n° 99-4 du 2 mai 1999 sont
remplacés par les dispositions suivantes :
  « Art. 3. — Le sel est gris.
  Il est fin.
  Art. 4. — Le « sel » est cher. »
`, []string{"2|remplace|99-4|3 (nouveau)|Le sel est gris.\nIl est fin.", "2|remplace|99-4|4 (nouveau)|Le « sel » est cher."}},
		"marks for each": {`Les articles 3 et 4 de la loi n° 99-4 du 2 mai 1999 sont
modifiés comme suit :
  « Article 3. - Le sel est gris ».
  « Article 4. - Le sel est cher ».
`, []string{"2|remplace|99-4|3 (nouveau)|Le sel est gris", "2|remplace|99-4|4 (nouveau)|Le sel est cher"}},
		"marks before each paragraph": {`L’article 3 de la loi n° 99-4 du 2 mai 1999 est remplacé par
les dispositions suivantes :
  « Article 3. - Le sel est gris.
  « Le sel « fin » est cher.
  « Il est rare. »
  Le reste est sans changement.
`, []string{"2|remplace|99-4|3 (nouveau)|Le sel est gris.\n« Le sel « fin » est cher.\n« Il est rare."}},
		"without marks": {`Sont abrogées les dispositions des articles 3 et 4 de la loi
n° 99-4 du 2 mai 1999 et remplacées par ce qui suit :
  Article 3 (nouveau) : Le sel est gris.
  Article 4 (alinéa 2 nouveau) : Le sel est cher.
`, []string{"2|remplace|99-4|3 (nouveau)|Le sel est gris.", "2|remplace|99-4|4 (alinéa 2 nouveau)|Le sel est cher."}},
		"a head on its own line": {`L’article 7 du code du sel est remplacé par les dispositions
suivantes :
  « Article 7 nouveau
  Le sel est gris. »
`, []string{"2|remplace|code du sel|7 (nouveau)|Le sel est gris."}},
		"within the paragraph": {`L’article 7 du code du sel est modifié ainsi qu’il suit : « Art. 7. Rien. »
`, []string{"2|remplace|code du sel|7 (nouveau)|Rien."}},
		"a new article": {`Il est inséré, après l’article 6 de la loi n° 99-4 du 2 mai
1999, un article 6 bis ainsi rédigé :
  « Art. 6 bis. — Le sel est gris. »
`, []string{"2|insere|99-4|6 bis (nouveau)|Le sel est gris."}},
		"a new article without its number": {`Il est ajouté à la loi n° 99-4 du 2 mai 1999 un article 6 bis
ainsi rédigé :
  « Le sel est gris. »
`, []string{"2|insere|99-4|6 bis (nouveau)|Le sel est gris."}},
		"of a division": {`Le titre II de la loi n° 99-4 du 2 mai 1999 est remplacé par les
dispositions suivantes :
                         TITRE II
                          DU SEL

  Article 28 (nouveau) : Le sel est gris.
  Article 28 bis : Le sel est cher.
`, []string{"2|remplace|99-4|28 (nouveau)|Le sel est gris.", "2|remplace|99-4|28 bis (nouveau)|Le sel est cher."}},
		"what a scan made of the marks": {`Les articles 3 et 4 de la loi n° 99-4 du 2 mai 1999 sont
modifiés ainsi qu’il suit :
  o Article 3. - Le sel est gris ».
  o Article 4. - Le sel est cher ».
`, []string{"2|remplace|99-4|3 (nouveau)|Le sel est gris", "2|remplace|99-4|4 (nouveau)|Le sel est cher"}},
		"words only": {`À l’article 7 du code du sel, les mots : « gris » sont remplacés par
les mots : « fin ».
`, nil},
		"an addition": {`L’article 7 du code du sel est complété par un alinéa ainsi
rédigé : « Le sel est gris. »
`, nil},
		"a quotation that amends nothing": {`Le sel est dit, au sens du présent décret :
  « Art. 7. — gris ».
`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(decree, "Le décret n° 2001-7 du 2 mai 2001 est abrogé.\n", c.says, 1)
			x := split(t, text, gazette.Hints{})
			if diff := compare.Diff(c.want, describeWordings(x)); diff != "" {
				t.Errorf("%s\n%s\n%+v", diff, summed(gazette.Issue{Texts: []gazette.Text{x}}), x.Articles)
			}
			checkShape(t, x)
		})
	}
}
