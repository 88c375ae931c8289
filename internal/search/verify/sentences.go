package verify

import (
	"fmt"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/quote"
)

// tell returns the French sentence for the state of a reference.
func (f *found) tell() string {
	switch {
	case f.State == Own:
		return "C’est un article de votre texte."
	case f.State == NoText:
		return "Votre texte ne dit pas de quel texte est cet article."
	case f.State == Ambiguous:
		return "Plusieurs textes portent ce nom : précisez la date, le numéro ou le pays."
	case f.text == nil && len(f.Sources) > 0:
		return "Aucun texte du pays n’a ce nom au catalogue ; d’autres le portent."
	case f.text == nil:
		return "Aucun texte du catalogue ne porte ce numéro ou ce titre."
	}
	s := f.text.source
	var told []string
	switch s.State {
	case Repealed:
		if s.RepealedOn == "" {
			told = append(told, "Le texte est abrogé, selon le catalogue.")
			break
		}
		told = append(told, "Le texte est abrogé depuis le "+writeDay(s.RepealedOn)+by(s.RepealedBy)+".")
	case NotYet:
		told = append(told, "Le texte n’entre en vigueur que le "+writeDay(s.InForce)+".")
	default:
		if s.State == Amended && len(f.Articles) == 0 {
			told = append(told, "Le texte est en vigueur, modifié"+by(s.AmendedBy)+".")
		} else {
			told = append(told, "Le texte est en vigueur.")
		}
		if s.RepealedOn != "" {
			told = append(told, "Il sera abrogé le "+writeDay(s.RepealedOn)+".")
		}
	}
	for _, a := range f.Articles {
		if line := a.tell(s.State); line != "" {
			told = append(told, line)
		}
	}
	if later := f.text.Document.LaterNotice(f.text.day); later != "" {
		told = append(told, "Le catalogue n’en a que la "+later+".")
	}
	return strings.Join(told, " ")
}

// tell returns the French sentence for the state of an article; "" if it is the text's state.
func (a Article) tell(text State) string {
	name := "L’article " + a.Number
	switch {
	case a.State == Absent:
		return name + " n’existe pas dans ce texte."
	case a.State == text && a.State != Amended:
		return ""
	case a.State == Repealed:
		return name + " est abrogé" + since(a.Since) + changers(a.Changes) + "."
	case a.State == NotYet:
		return name + " n’entre en vigueur que le " + writeDay(a.Since) + "."
	case a.State == Amended:
		return name + " est modifié" + since(a.Since) + changers(a.Changes) + "."
	}
	return ""
}

// describe returns the French sentence for the verdict on a quotation.
func (q Quotation) describe() string {
	at := ""
	if q.Article != "" {
		at = " l’article " + q.Article
	}
	switch {
	case q.Verdict == Uncompared && q.Reference == nil:
		return "Rien ne dit d’où vient cette citation."
	case q.Verdict == Uncompared:
		return "Le catalogue n’a pas de quoi comparer cette citation."
	case q.Verdict == Verdict(quote.Absent):
		return "Ces mots ne sont pas dans le texte cité."
	case q.Elsewhere:
		return fmt.Sprintf("Ces mots sont à%s, non à celui que la référence nomme.", at)
	case q.Verdict == Verdict(quote.Different):
		return fmt.Sprintf("La citation diffère de%s en %s.", at, places(len(q.Differences)))
	}
	return fmt.Sprintf("La citation a les mots de%s.", at)
}

func places(n int) string {
	if n == 1 {
		return "un endroit"
	}
	return fmt.Sprintf("%d endroits", n)
}

// writeDay formats a day in French.
func writeDay(day string) string {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return law.WriteDate(d)
}

func since(day string) string {
	if day == "" {
		return ""
	}
	return " depuis le " + writeDay(day)
}

// by returns the name of the last act that changes a text.
func by(acts []Act) string {
	if len(acts) == 0 {
		return ""
	}
	return " par « " + acts[len(acts)-1].Title + " »"
}

// changers returns the name of the last act that changes an article.
func changers(list []law.RelationRef) string {
	if len(list) == 0 {
		return ""
	}
	return " par « " + law.RemoveMarks(list[len(list)-1].Title) + " »"
}
