package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// tornLaw returns a law in which the word of each article is in the middle of a line.
const tornLaw = `                 LOI N° 2019-3 DU 2 MARS 2019
                 relative au sel.

  L’Assemblée a délibéré et adopté ;

                          ARTICLE
  PREMIER.- Le sel marin est vendu par qui le récolte, dans les conditions
que fixe un décret.

                          ARTICLE
  2.- Le prix du sel est fixé chaque année par le ministre du commerce, pour
tous ceux qui le vendent.

                          ARTICLE
                             3
  Les sauniers tiennent registre de ce qu’ils vendent et de ce qu’ils
gardent.

                            Art.
` + "\f" + `  4. — Le registre est montré à qui le demande, aux heures d’ouverture
des marais.
`

func TestNumbersBelowTheirWord(t *testing.T) {
	t.Parallel()
	issue := segment.Split(typed(tornLaw), gazette.Hints{})
	if len(issue.Texts) != 1 {
		t.Fatalf("%d texts", len(issue.Texts))
	}
	var got []string
	for _, a := range issue.Texts[0].Articles {
		if a.Number != "" {
			got = append(got, a.Number+" "+strings.Join(strings.Fields(a.Text)[:2], " "))
		}
	}
	if want := "1er Le sel|2 Le prix|3 Les sauniers|4 Le registre"; strings.Join(got, "|") != want {
		t.Errorf("articles %q", got)
	}
}

// The word alone is no head if the next line continues it, or has no number.
func TestWordsWithoutTheirNumber(t *testing.T) {
	t.Parallel()
	for _, lower := range []string{"5 et suivants du code du sel.", "Les taxes sont perçues au marais.", "12° les taxes de marais."} {
		text := lawOf("Article 1er.-", "Article 2.-", "Article 3.-")
		text = strings.Replace(text, "  Article 3.-", "  Les taxes sont celles que fixe\nArticle\n"+lower+"\n  Article 3.-", 1)
		issue := segment.Split(typed(text), gazette.Hints{})
		if len(issue.Texts) != 1 || numbers(issue.Texts[0]) != "1er 2 3" {
			t.Errorf("%q: %d texts, articles %q", lower, len(issue.Texts), numbers(issue.Texts[0]))
		}
	}
}

// A capital that begins a sentence after a number without a sign does not belong to the number. Heads are
// read by the same rule, whether they are torn or not.
func TestSentenceAfterATornNumberIsWhole(t *testing.T) {
	t.Parallel()
	issue := segment.Split(typed(strings.Replace(tornLaw, "  2.- Le prix du sel est fixé", "  2 A ce titre le prix du sel est fixé", 1)), gazette.Hints{})
	if len(issue.Texts) != 1 {
		t.Fatalf("%d texts", len(issue.Texts))
	}
	for _, a := range issue.Texts[0].Articles {
		if a.Number == "2" && strings.HasPrefix(a.Text, "A ce titre le prix") {
			return
		}
	}
	t.Errorf("no article 2 has its whole sentence: %+v", issue.Texts[0].Articles)
}
