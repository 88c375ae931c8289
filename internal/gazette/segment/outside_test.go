package segment_test

import (
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
