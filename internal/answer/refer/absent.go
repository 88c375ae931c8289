package refer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
)

// The warnings of an answer that says that a text is missing.
const (
	missingWarning  = "Le catalogue n’a pas tout ce qui est demandé."
	filteredWarning = "Les filtres de la question écartent un texte qu’elle nomme."
	unnamedWarning  = "La question ne dit pas de quel texte il s’agit."
)

// mostNear is the maximum number of texts that are listed instead of a missing one.
const mostNear = 3

// sayAbsent says that the catalogue has no such text, or none that the filters admit. It also lists other texts with a
// similar number and, unless brief is set, changes that texts of the catalogue make to the missing one.
func (p *page) sayAbsent(ctx context.Context, m named.Mention, brief bool) error {
	p.paragraph()
	if len(m.Barred) > 0 {
		p.warn(filteredWarning)
		p.note("Les filtres de la question écartent " + theText(m.Barred[0]) + " : retirez-les pour l’interroger.")
		return nil
	}
	p.warn(missingWarning)
	sentence := "Le catalogue n’a pas " + theName(m.Name)
	if year, ahead := m.Ahead(p.today); ahead {
		sentence += fmt.Sprintf(" : %d est une année à venir", year)
	}
	p.note(sentence + ".")
	near, err := p.similarNumbers(ctx, m)
	if err != nil {
		return err
	}
	if len(near) > 0 {
		p.say(" ")
		p.note("Il a, sous un numéro qui y ressemble : " + strings.Join(near, " ; ") + ".")
	}
	if m.Number == "" || brief {
		return nil
	}
	changes, err := p.DB.ChangesToNumber(ctx, m.Number)
	if err != nil {
		return err
	}
	changes = slices.DeleteFunc(changes, func(c postgres.Change) bool { return m.Type != "" && c.TargetType != "" && c.TargetType != m.Type })
	for _, c := range changes[:min(len(changes), mostNear)] {
		p.say("\n")
		if err := p.sayChange(ctx, c, changeTo(theName(m.Name), c), false); err != nil {
			return err
		}
	}
	return nil
}

// sayMore says that more texts have a number than the answer considers.
func (p *page) sayMore(m named.Mention) {
	if m.More {
		p.paragraph()
		p.note(fmt.Sprintf("Plus de %d textes du catalogue portent ce numéro, et la réponse n’en considère pas d’autres : précisez le type, la date ou le pays du texte.", named.MostTexts))
	}
}

// similarNumbers returns the names of texts with the same number that are of another type, or that have other
// initials of authors.
func (p *page) similarNumbers(ctx context.Context, m named.Mention) (names []string, err error) {
	stem := french.TextStem(french.TextTerm(m.Number))
	if m.Number == "" || stem == "" {
		return nil, nil
	}
	found, err := p.texts.OfStem(ctx, stem)
	for _, t := range found[:min(len(found), mostNear)] {
		names = append(names, theText(t))
	}
	return names, err
}

// theName returns the name in a question with its article: « la loi n° 2031-05 ».
func theName(name string) string {
	if rest, ok := strings.CutPrefix(name, "n° "); ok {
		return "le texte n° " + rest
	}
	of, ok := law.OfTitle(name)
	if !ok {
		return "le texte « " + name + " »"
	}
	for from, to := range map[string]string{"de la ": "la ", "de l’": "l’", "du ": "le "} {
		if rest, cut := strings.CutPrefix(of, from); cut {
			return to + rest
		}
	}
	return of
}
