package refer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
)

func resolverWithoutIndex() *Resolver {
	return &Resolver{Next: &retrieve.Searcher{Now: func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) }}}
}

// answered reads a question and returns the answer that is given before anything is searched.
func answered(typed string) (said string, warnings []string) {
	d := resolverWithoutIndex()
	asked := question.Read(typed, question.Conversation{})
	p := d.newPage(retrieve.Question{Text: typed, Asked: &asked})
	if !p.answerCourtesy(asked) && !p.unreadable(asked) && !p.askWhichNamed(asked) {
		return "", nil
	}
	w := p.result().Written
	return strings.Join(w.Pieces, ""), w.Warnings
}

func TestNoSearchWithoutAQuestion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ typed, said, warning string }{
		"a greeting":                   {"Bonjour !", welcome, quotesNothing},
		"thanks":                       {"Merci beaucoup", thanked, quotesNothing},
		"a farewell":                   {"Au revoir", goodbye, quotesNothing},
		"who it is":                    {"Qui es-tu ?", itself, quotesNothing},
		"signs":                        {"???", onlySigns, noQuestion},
		"a number":                     {"12", onlyNumber, noQuestion},
		"English":                      {"What is the notice period for an employee who wants to leave?", inFrench + "\n\n" + inOwnWords[question.English], notReadable},
		"Arabic":                       {"ما هي مدة الإشعار؟", inFrench + "\n\n" + inOwnWords[question.Arabic], notReadable},
		"a text that nobody named":     {"Que prévoit cet accord sur les congés ?", "De quel texte s’agit-il ? Nommez-le par son numéro, sa date ou son titre, par exemple « la loi n° 2010-05 » ou « le code du travail du Bénin ».", unnamedWarning},
		"a question":                   {"Quelle est la durée du préavis d’un cadre ?", "", ""},
		"a greeting before a question": {"Bonjour, quelle est la durée du préavis d’un cadre ?", "", ""},
		"thanks before a question":     {"Merci. Et quelle est la durée du préavis d’un ouvrier ?", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, warnings := answered(c.typed)
			if said != c.said {
				t.Errorf("said %q, want %q", said, c.said)
			}
			if c.said == "" {
				return
			}
			// The resolver has no index, so a search would panic.
			found, err := resolverWithoutIndex().Search(t.Context(), retrieve.Question{Text: c.typed})
			if err != nil || found.Written == nil || strings.Join(found.Written.Pieces, "") != c.said {
				t.Errorf("found %+v, %v", found, err)
			}
			if !slices.Equal(warnings, []string{c.warning}) {
				t.Errorf("warnings %q, want %q", warnings, c.warning)
			}
		})
	}
}
