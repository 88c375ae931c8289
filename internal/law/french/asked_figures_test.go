package french_test

import (
	"testing"

	"vigueur/internal/law/french"
)

func TestFiguresOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]french.Figures{
		"une amende de 200 000 francs":           french.Sum | french.Penalty,
		"le meunier est passible de poursuites":  french.Penalty,
		"il s’expose à la perte de sa meule":     french.Penalty,
		"à peine de nullité, l’acte est écrit":   0,
		"sous peine d’une amende de dix francs":  french.Sum | french.Penalty,
		"un préavis de trois mois":               french.Time,
		"dans le mois de la signification":       french.Time,
		"est tenu de le déclarer sous huitaine":  french.Time,
		"dans le mois de mai ou l’année":         french.Time,
		"une indemnité de trois mois de salaire": french.Time | french.Sum,
		"vingt ans":                     french.Time | french.Years,
		"une majoration de 25 %":        french.Rate,
		"(1) Le préavis est écrit.":     0,
		"les salaires du mois sont dus": 0,
		"le montant de la rémunération du mois est déterminé": 0,
	} {
		t.Run(text, func(t *testing.T) {
			if got := french.FiguresOf(text); got != want {
				t.Errorf("%q: %b, want %b", text, got, want)
			}
		})
	}
}

func TestAsks(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]french.Figures{
		"Combien de temps dure le préavis ?":        french.Time,
		"À partir de quel âge ? quel est l’âge ?":   french.Years,
		"Combien coûte le permis ?":                 french.Sum,
		"Combien de juges siègent ?":                french.Rate | french.Count,
		"Quelle peine encourt le voleur ?":          french.Penalty,
		"Que risque-t-on à voler du grain ?":        french.Penalty,
		"Que faire si le capital est perdu ?":       0,
		"Qui fixe la durée du bail ?":               0,
		"Qui est élu, et pour combien de temps ?":   french.Time,
		"Durée du bail de la meule":                 french.Time,
		"Le meunier doit-il écrire son préavis ?":   0,
		"Qui nomme le meunier ?":                    0,
		"Quand faut-il renouveler le droit d’eau ?": french.Time,
	} {
		t.Run(question, func(t *testing.T) {
			if got := french.Asks(question); got != want {
				t.Errorf("%q: %b, want %b", question, got, want)
			}
		})
	}
}
