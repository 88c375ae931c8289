package question

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// The day must be the time of the question itself, and exist in the calendar.
func TestDatesThatAreNotTheDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Au 31 février 2020, quel préavis ?":                               "",
		"Quel préavis au 29 février 2023 ?":                                "",
		"Quel préavis au 29 février 2024 ?":                                "2024-02-29",
		"Quel préavis au 12/31/2020 ?":                                     "",
		"Quel préavis au 3 mai 99 ?":                                       "1999-05-03",
		"Au 1er janvier 0001 ?":                                            "",
		"Au 1 er janvier 2020, quel préavis ?":                             "2020-01-01",
		norm.NFD.String("À la date du 3 février 2015, quelle durée ?"):     "2015-02-03",
		"en vigueur au\u00a003\u20115\u20112015":                           "2015-05-03",
		"Du 1er mai au 4 juin 2016, quel préavis ?":                        "",
		"Du 1er au 4 juin 2016, quel préavis ?":                            "",
		"Du 3 au 4 juin 2016, quel préavis ?":                              "",
		"Contrat conclu le 3 mai 2015":                                     "",
		"Au 3 mai 2015 et au 4 mai 2016":                                   "2015-05-03",
		"En 2015-2016, quel était le préavis ?":                            "",
		"En 2015\u20112016, quel était le préavis ?":                       "",
		"En 2015–2016, quel était le préavis ?":                            "",
		"En 2015, la loi de 2016 était-elle en vigueur ?":                  "2015-12-31",
		"Fin 2015, quel était le préavis ?":                                "2015-12-31",
		"En 20155, quel était le préavis ?":                                "",
		"En 1789, quel était le préavis ?":                                 "",
		"EN 2015 QUEL ÉTAIT LE SMIG":                                       "2015-12-31",
		"L’arrêté du 3 mai 2010 était-il en vigueur au 1er janvier 2012 ?": "2012-01-01",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := ""
			if day := Read(text, Conversation{}).Day; day != nil {
				got = day.Format(time.DateOnly)
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Substance is what is asked about the named texts: neither their names, nor the day, nor words that point at
// them.
func TestSubstance(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Que dit l’article 5 de la loi n° 2010-05 ?":                     "",
		"Montre-moi le texte intégral de l’article 5 du code du travail": "",
		"Que prévoyait le décret n° 2000-1 au 3 mai 2015 ?":              "",
		"Que dit l’article 5 de la loi n° 2010-05 sur le préavis ?":      "préavis",
		"Quel préavis au Maroc ?":                                        "préavis",
		"":                                                               "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(Read(text, Conversation{}).Substance(), " "); got != strings.Join(french.Terms(want), " ") {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Names are the words within a sentence that the asker writes with a capital.
func TestNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Qui dirige l’ARCEP à Dakar ?":         {"arcep", "dakar"},
		"Dakar est-elle la capitale ?":         nil,
		"Je travaille. Où est la CNSS ?":       {"cnss"},
		"qui dirige la caisse ?":               nil,
		"L’article L. 12-1 et la loi n° 2-010": nil,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := slices.Sorted(maps.Keys(Read(text, Conversation{}).Names)); !slices.Equal(got, french.Terms(strings.Join(want, " "))) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Asking holds the words of the question itself, not of the story before it, and those of the questions that
// it depends on.
func TestAsking(t *testing.T) {
	t.Parallel()
	q := Read("Mon bailleur a vendu. Quel est le préavis ?", Conversation{})
	if !q.Asking[term("préavis")] || q.Asking[term("bailleur")] {
		t.Errorf("%v", q.Asking)
	}
	q = Read("Et au Maroc ?", Conversation{Asked: []string{"Quel est le préavis au Mali ?"}})
	if !q.Asking[term("préavis")] || q.Meant() != "Quel est le préavis au  ?\n Et au Maroc ?" {
		t.Errorf("%v of %q", q.Asking, q.Meant())
	}
	if got := q.AskedCountries(); !slices.Equal(got, []country.Code{"ma"}) {
		t.Errorf("countries %v", got)
	}
	q = Read("Et pour un cadre ?", Conversation{Asked: []string{"Quel est le préavis au Mali ?"}})
	if got := q.AskedCountries(); !slices.Equal(got, []country.Code{"ml"}) {
		t.Errorf("countries of the one before: %v", got)
	}
	if q = Read("Quel est le préavis d’un cadre ?", Conversation{}); q.Meant() != q.Text {
		t.Errorf("meant %q", q.Meant())
	}
}

// term returns a word as it is searched.
func term(word string) string { return french.Terms(word)[0] }

func TestTriples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":       nil,
		"?!":     nil,
		"Été":    {" ét", "été", "té "},
		"a, b":   {" a ", "a b", " b "},
		"12 là…": {" là", "là "},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := Triples(text); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
