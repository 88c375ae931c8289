package extractive

import (
	"testing"

	"vigueur/internal/answer/llm"
)

func TestSourceOfANewWording(t *testing.T) {
	t.Parallel()
	p := llm.Passage{Title: "Loi n° 2020-03 du 2 mai 2020 modifiant la loi n° 2010-05 portant Code du sel", Article: "5",
		New: &llm.New{Of: "Loi n° 2010-05 du 3 mai 2010 portant Code du sel", By: "1er", Verb: "tel que remplacé par"}}
	part := p
	part.New = &llm.New{Of: "Code du sel", By: "2", Part: "premier alinéa", Verb: "tel qu’inséré par"}
	for _, c := range []struct {
		p            llm.Passage
		before, want string
	}{
		{p, "", "L’article 5 nouveau de la loi n° 2010-05 du 3 mai 2010 portant Code du sel, tel que remplacé par l’article 1er de la loi n° 2020-03 du 2 mai 2020,"},
		{p, "Loi n° 2010-05 du 3 mai 2010 portant Code du sel", "L’article 5 nouveau du même texte, tel que remplacé par l’article 1er de la loi n° 2020-03 du 2 mai 2020,"},
		{part, p.Title, "L’article 5 (premier alinéa nouveau) du Code du sel, tel qu’inséré par l’article 2 de la loi n° 2020-03 du 2 mai 2020,"},
	} {
		t.Run(c.before, func(t *testing.T) {
			if got := source(c.p, c.before); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
