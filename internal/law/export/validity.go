package export

import (
	"fmt"

	"vigueur/internal/law"
)

// own returns the text's own articles, without the new wordings that it gives to other
// texts: these are printed as part of the articles that quote them.
func (t Text) own() (list []law.Article) {
	for _, a := range t.Articles {
		if a.Wording == nil {
			list = append(list, a)
		}
	}
	return list
}

// notes returns what a reader must know about an article: the act that made its wording, the day from which it is no
// longer in force, and the days from which its new wordings apply to other articles.
func (t Text) notes(a law.Article) (list []string) {
	if c, ok := t.wordingOf(a.ID); ok {
		list = append(list, c.said())
	}
	if a.ValidTo != nil {
		list = append(list, "Article "+t.end(a, ""))
	}
	for _, n := range t.Articles {
		if n.Wording == nil || n.Wording.Within != a.ID {
			continue
		}
		r := n.Wording.Replaced()
		note := fmt.Sprintf("Article %s : nouvelle rédaction de l’article %s de « %s »", n.Number, r.Article, OneLine(r.Title))
		if r.Type == law.Inserts {
			note = fmt.Sprintf("Article %s : article inséré dans « %s »", n.Number, OneLine(r.Title))
		}
		if n.ValidFrom != nil {
			note += ", en vigueur à compter du " + law.WriteDate(*n.ValidFrom)
		}
		if n.ValidTo != nil {
			note += ", " + t.end(n, "e")
		}
		list = append(list, note)
	}
	return list
}

// end describes the end of an article: « remplacé à compter du 1er juillet 2025 par : Loi
// n° … ». gender is the ending of the participle: "", or « e » for the feminine.
func (t Text) end(a law.Article, gender string) string {
	day := law.WriteDate(*a.ValidTo)
	by, known := t.Ended[a.ID]
	switch {
	case !known:
		return "qui n’est plus en vigueur à compter du " + day
	case by.Type == law.RepealedBy:
		return "abrogé" + gender + " à compter du " + day + " par : " + OneLine(by.Title)
	}
	return "remplacé" + gender + " à compter du " + day + " par : " + OneLine(by.Title)
}
