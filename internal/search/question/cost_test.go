package question

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
	"vigueur/internal/law/read"
)

// hostile holds words of which each is a reference, or the beginning of one, to be repeated.
var hostile = map[string]string{
	"articles and laws":    "art. 5, loi n° 2010-05, ",
	"articles alone":       "art. 5 ; ",
	"laws alone":           "loi n° 2010-05 ; ",
	"numbers alone":        "2010-05 ",
	"codes":                "code béninois du travail, ",
	"phrases":              "directives sur la chose. ",
	"ranges":               "articles 1 à 600, ",
	"a list":               "5, ",
	"dates":                "arrêté du 3 mai 2010, ",
	"years":                "loi de 2010 portant code. ",
	"lettered articles":    "L. 1224-1 ",
	"Roman numerals":       "art. IV, ",
	"kinds without number": "arrêté conjoint ",
	"blanks":               "  ",
	"parentheses":          "art. 5 (",
}

// All references of a text are found in time linear in its length.
func TestReferencesAreLinear(t *testing.T) {
	for name, words := range hostile {
		t.Run(name, func(t *testing.T) {
			begin := map[string]string{"a list": "articles ", "lettered articles": "directives sur ce point, "}[name]
			cost.Linear(t, 1<<16, func(size int) string { return begin + strings.Repeat(words, size/len(words)) }, func(text string) { References(text) })
		})
		t.Run(name+" in law", func(t *testing.T) {
			cost.Linear(t, 1<<16, func(size int) string { return strings.Repeat(words, size/len(words)) }, func(text string) { read.Printed(text) })
		})
	}
}

// A conversation costs no more than what is read of it, whatever it contains.
func TestConversationsAreBounded(t *testing.T) {
	for name, words := range hostile {
		t.Run(name, func(t *testing.T) {
			ask := "Et " + strings.Repeat(words, 40) + " ?"
			conversation := func(size int) (c Conversation) {
				for range TurnsRead {
					c.Asked = append(c.Asked, ask)
					c.Answers = append(c.Answers, strings.Repeat(words, size/len(words)))
				}
				return c
			}
			read := func(c Conversation) { Read("Et cet article ?", c) }
			cost.Linear(t, CharactersRead, conversation, read)
			most, beyond := conversation(CharactersRead+len(words)), conversation(20*CharactersRead)
			beyond.Asked = append(slices.Repeat(beyond.Asked, 20), beyond.Asked...)
			beyond.Answers = append(slices.Repeat(beyond.Answers, 20), beyond.Answers...)
			if a, b := Read("Et cet article ?", most), Read("Et cet article ?", beyond); !reflect.DeepEqual(a, b) {
				t.Errorf("what is not read changes the question: %+v, then %+v", a, b)
			}
			cost.Linear(t, 8, func(size int) Conversation { // eight times as much is as cheap
				return Conversation{Asked: slices.Repeat(most.Asked, size), Answers: slices.Repeat(most.Answers, size)}
			}, read)
		})
	}
}
