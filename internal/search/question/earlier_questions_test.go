package question

import "testing"

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
