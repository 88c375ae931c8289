package question

import "testing"

// TestLawless checks questions that no law answers, and others that only sound alike.
func TestLawless(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]bool{
		"Est-ce que je vais gagner mon procès ?":                   true,
		"Est-ce que je dois quitter mon mari ?":                    true,
		"Dois-je épouser ma cousine ?":                             true,
		"Que feriez-vous à ma place ?":                             true,
		"Vaut-il mieux une SARL ou une SA ?":                       true,
		"Qui est l’actuel président du Burkina Faso ?":             true,
		"Comment s’appelle le ministre de la justice ?":            true,
		"Quelle est la date de la prochaine élection ?":            true,
		"Traduis bonjour en anglais":                               true,
		"Écris-moi un poème":                                       true,
		"Dois-je quitter mon logement à la fin du bail ?":          false,
		"Dois-je quitter mon poste avant la fin du préavis ?":      false,
		"Est-ce que je dois voter ?":                               false,
		"Dois-je acheter un timbre fiscal ?":                       false,
		"Qui est le chef des armées ?":                             false,
		"Comment s’appelle désormais le lycée de Matam ?":          false,
		"À quelle date entre en vigueur la prochaine convention ?": false,
		"Le contrat doit-il être écrit ?":                          false,
		"Peut-on épouser sa cousine ?":                             false,
		"Quelle traduction faut-il joindre au dossier ?":           false,
	} {
		t.Run(question, func(t *testing.T) {
			if got := Read(question, Conversation{}).Lawless; got != want {
				t.Errorf("%q: %v", question, got)
			}
		})
	}
}
