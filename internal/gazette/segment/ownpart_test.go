package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// A name ends before the heading of a part of the text, on the same page or the next.
func TestNamesEndBeforePartsOfTheText(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"Préambule", "PRÉAMBULE", "Preambule :", "Exposé des motifs", "SOMMAIRE"} {
		for _, gap := range []string{"\n\n", "\f"} {
			text := "              TRAITÉ RELATIF À L’HARMONISATION\n               DU COMMERCE DU SEL EN MER BORÉALE\n" + gap +
				"                         " + part + `

  Le Président de la République de Maravie,
  Le Président de la République de Salinor,
  Déterminés à établir un courant de confiance en faveur du commerce du sel,
  Conviennent de ce qui suit :

  Article 1er - Le présent traité a pour objet le commerce du sel entre les
États parties, dans les conditions que fixent les règlements communs.
  Article 2 - Les règlements communs sont adoptés à la majorité des États
parties présents et votants.
`
			issue := segment.Split(typed(text), gazette.Hints{})
			if len(issue.Texts) != 1 {
				t.Errorf("%q: %d texts", part, len(issue.Texts))
				continue
			}
			if title := issue.Texts[0].Document.Title; !strings.HasSuffix(title, "Boréale") && !strings.HasSuffix(title, "BORÉALE") {
				t.Errorf("%q%q: title %q", gap, part, title)
			}
		}
	}
}
