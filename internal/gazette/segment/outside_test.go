package segment_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// Articles that count on are law even where nothing names their text: they are never left out without a doubt.
func TestArticlesOutside(t *testing.T) {
	t.Parallel()
	const body = `
  Article 1er. - Le prix du sel est fixé par le ministre chargé du commerce, pour toute la
République et pour chaque année.

  Article 2. - Les marchands de sel affichent ce prix à l’entrée de leur magasin.

  Article 3. - La présente loi sera publiée au Journal officiel.
`
	issue := segment.Split(typed(`
                 JOURNAL OFFICIEL DE LA REPUBLIQUE

      Règlementgouvernementaldu4septembre1990autorisantlavente

  Vu la Constitution ;
`+body+`
                 DECRET N° 2019-12 du 3 mai 2019 portant prix du poivre

  Le Président de la République,
  Vu la Constitution ;

                          DECRETE :

  Article 1er. - Le prix du poivre est libre dans toute la République.

  Article 2. - Le présent décret sera publié au Journal officiel.
`), gazette.Hints{Filename: "x.pdf"})
	for _, l := range issue.Lines {
		if masthead := strings.Contains(l.Text, "JOURNAL OFFICIEL"); (l.Label == gazette.LabelAside) != masthead {
			t.Errorf("line %q of the gazette's own: %s", l.Text, l.Label)
		}
	}
	for _, x := range issue.Texts {
		for _, a := range x.Articles {
			if strings.Contains(a.Text, "prix du sel est fixé") && len(x.Doubts) > 0 {
				return
			}
		}
	}
	t.Errorf("the articles are lost, or sure: %s", summed(issue))
}

// The reasons that a government gives for an act are no lines that were lost, and none of another act.
func TestReasonsHaveTheirOwnKind(t *testing.T) {
	t.Parallel()
	const reasons = "                       EXPOSÉ DES MOTIFS\n\n  Le sel manque dans les communes du Nord, où les sauniers partent.\n  Tel est l’objet du présent projet.\n\n"
	text := lawOf("Article 1er :", "Article 2 :")
	title, body, _ := strings.Cut(text, "\n\n")
	for name, printed := range map[string]string{
		"below the title":       title + "\n\n" + reasons + body,
		"below a title of it":   title + "\n\n" + reasons + text,
		"behind the signatures": text + "  Fait à Villebourg, le 2 mars 2019.\n\n                 Le Président de la République,\n                  Jean VILLEDIEU\n\n" + reasons,
	} {
		issue := segment.Split(typed(printed), gazette.Hints{})
		var got []string
		for _, l := range issue.Lines {
			if l.Label == gazette.LabelReasons {
				got = append(got, strings.Fields(l.Text)[0])
			}
		}
		same(t, name, fmt.Sprint(len(issue.Texts), got, issue.Texts[0].Document.OfficialNumber), "1 [EXPOSÉ Le Tel]2019-3")
	}
}
