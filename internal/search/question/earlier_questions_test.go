package question

import (
	"strings"
	"testing"
	"time"
)

// TestEarlier checks how much of a conversation a question takes along.
func TestEarlier(t *testing.T) {
	t.Parallel()
	first := "Combien dure l’essai d’un cadre au Burkina Faso ?"
	for question, c := range map[string]struct {
		history []string
		want    string
	}{
		"Et pour un employé ?":                         {[]string{first}, first + "\n"},
		"Peut-il être renouvelé ?":                     {[]string{first, "Et pour un employé ?", "Et au Maroc ?"}, "Et au Maroc ?\nEt pour un employé ?\nCombien dure l’essai d’un cadre au  ?\n"},
		"Et au Maroc ?":                                {[]string{first}, "Combien dure l’essai d’un cadre au  ?\n"},
		"Combien de députés au Maroc ?":                {[]string{first}, ""},
		"Merci, et combien de députés au Maroc ?":      {[]string{first}, ""},
		"Qui est déchu de la garde des enfants ?":      {[]string{first}, ""},
		"Jusqu’à quel âge ?":                           {[]string{"Et là ?", "Qui obtient la garde des enfants ?", "Et là-bas ?"}, "Et là-bas ?\nQui obtient la garde des enfants ?\n"},
		"Et ?":                                         {[]string{"Et a ?", "Et b ?", "Et c ?", "Et d ?", "Et e ?"}, "Et e ?\nEt d ?\nEt c ?\nEt b ?\n"},
		"Quelle est la capitale de l’Australie ?":      {[]string{first}, ""},
		"Qui dirige l’ARCEP ?":                         {[]string{first}, ""},
		"Quel est le rôle de la CNSS ?":                {[]string{"Combien verse-t-on à la CNSS ?"}, "Combien verse-t-on à la CNSS ?\n"},
		"Quel taux à la CNSS ?":                        {[]string{first}, first + "\n"},
		"QUEL DÉLAI DE PAIEMENT ?":                     {[]string{first}, first + "\n"},
		"Quel préavis doit le cadre qui démissionne ?": {nil, ""},
	} {
		t.Run(question, func(t *testing.T) {
			if got := Read(question, Conversation{Asked: c.history}).Earlier; got != c.want {
				t.Errorf("%q: %q, want %q", question, got, c.want)
			}
		})
	}
}

// A follow-up asks about the law of the same day, and a message that names only a day asks again.
func TestDaysInAConversation(t *testing.T) {
	t.Parallel()
	const dated, undated = "Que disait l’article 36 de la loi n° 2023-07 au 1er janvier 2024 ?", "Que disait l’article 36 de la loi n° 2023-07 ?"
	for _, c := range []struct {
		asked    []string
		text     string
		day      string
		article  string
		replaces int
	}{
		{[]string{dated}, "Et l’article 37 ?", "2024-01-01", "37", 0},
		{[]string{dated, "Et l’article 37 ?"}, "Et l’article 38 ?", "2024-01-01", "38", 0},
		{[]string{dated}, "Et l’article 37 aujourd’hui ?", "", "37", 0},
		{[]string{dated}, "Et l’article 37 en 2015 ?", "2015-12-31", "37", 0},
		{[]string{dated}, "Que dit l’article 37 du code pénal ?", "", "37", 0},
		{[]string{undated}, "au 1er janvier 2024", "2024-01-01", "36", 1},
		{[]string{undated}, "En 2015.", "2015-12-31", "36", 1},
		{[]string{undated}, "2015", "2015-12-31", "36", 1},
		{[]string{undated}, "le 3 mai 2015 svp", "2015-05-03", "36", 1},
		{[]string{undated}, "Celui du 3 mai 2015", "2015-05-03", "36", 1},
		{[]string{undated}, "l’an dernier", "2025-12-31", "36", 1},
		{[]string{undated}, "Et aujourd’hui ?", "", "36", 1},
		{[]string{dated}, "et en 2015 ?", "2015-12-31", "36", 1},
		{[]string{undated, "au 1er janvier 2024"}, "et en 2015 ?", "2015-12-31", "36", 2},
		{[]string{undated, "au 1er janvier 2024"}, "Et l’article 37 ?", "2024-01-01", "37", 0},
		{[]string{undated}, "la loi de 2015", "", "", 0},
	} {
		q := Read(c.text, Conversation{Asked: c.asked, Today: askedOn})
		day, article := "", ""
		if q.Day != nil {
			day = q.Day.Format(time.DateOnly)
		}
		for _, r := range q.References {
			article = strings.Join(r.Articles, ",")
		}
		if day != c.day || q.Undated || article != c.article && c.article != "" || q.Replaces != c.replaces {
			t.Errorf("%q after %q: day %q, article %q, replaces %d, undated %v", c.text, c.asked, day, article, q.Replaces, q.Undated)
		}
	}
	if q := Read("en 2015", Conversation{}); q.Replaces != 0 {
		t.Errorf("%+v", q)
	}
}
