package french_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law/french"
)

func TestLexicon(t *testing.T) {
	t.Parallel()
	l := french.NewLexicon()
	for question, want := range map[string]string{
		"rupture d’un CDD":              "contrat durée déterminée",
		"Mon patron veut me virer":      "employeur licencier licenciement",
		"mes heures sup impayées":       "supplémentaires",
		"quel est le SMIG ?":            "salaire minimum interprofessionnel garanti",
		"payer la TVA":                  "taxe valeur ajoutée",
		"tomber malade pendant l’essai": "maladie",
	} {
		t.Run(question, func(t *testing.T) {
			got := legal(l, question)
			for _, w := range french.Terms(want) {
				if !slices.Contains(got, w) {
					t.Errorf("%q leads to %q, not to %q", question, got, w)
				}
			}
		})
	}
	for _, question := range []string{"assemblée générale des actionnaires", "le champ d’application de la loi",
		"l’article qui traite de la question", "en train de partir", "la séparation des pouvoirs", "le déroulement de carrière"} {
		t.Run(question, func(t *testing.T) {
			if got := legal(l, question); len(got) != 0 {
				t.Errorf("%q leads to %q", question, got)
			}
		})
	}
}

// legal returns the law's words for a question that the question does not contain.
func legal(l *french.Lexicon, question string) (words []string) {
	own := french.Terms(question)
	for _, m := range l.Matches(own) {
		for _, w := range slices.Concat(m.Legal...) {
			if !slices.Contains(own, w) {
				words = append(words, w)
			}
		}
	}
	return words
}

func TestLexiconTableIsWellFormed(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("lexicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	entries := 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		entries++
		left, right, ok := strings.Cut(line, " = ")
		if !ok || len(french.Terms(left)) == 0 {
			t.Errorf("%q has no lay words", line)
		}
		for alternative := range strings.SplitSeq(right, "|") {
			if len(french.Terms(alternative)) == 0 {
				t.Errorf("%q has an empty alternative", line)
			}
		}
	}
	if entries < 1600 {
		t.Errorf("%d entries", entries)
	}
}
