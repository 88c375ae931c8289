package answer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"vigueur/internal/llm"
	"vigueur/internal/rank"
)

// quotes is the fallback of these tests.
var quotes = writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
	if p.Unlikely {
		return errors.Join(yield("Rien."), llm.ErrAbstained)
	}
	return yield("« Elle est d’un mois pour l’ouvrier. » [1]")
})

// TestAModelsAnswerIsReplaced is that what cites nothing and what only repeats the
// question is never shown, and that a model judges for itself what is unlikely.
func TestAModelsAnswerIsReplaced(t *testing.T) {
	const quoted = "« Elle est d’un mois pour l’ouvrier. » [1]"
	for name, c := range map[string]struct {
		model   llm.Generator
		verdict rank.Verdict
		want    func(content string) bool
		ok      bool
	}{
		"cites nothing": {says("Le préavis est ", "de trois mois."), rank.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle n’a pas cité") && strings.HasSuffix(s, quoted) && !strings.Contains(s, "trois")
		}, true},
		"cites what is not there": {says("Le préavis est de trois mois [9]."), rank.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle n’a pas cité") && strings.HasSuffix(s, quoted)
		}, true},
		"an echo": {says("Quel est le préavis [1] ?"), rank.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle n’a fait que reprendre") && strings.HasSuffix(s, quoted)
		}, true},
		"cites late":         {says("Elle est d’un mois ", "pour l’ouvrier ", "[1]."), rank.Sure, func(s string) bool { return s == "Elle est d’un mois pour l’ouvrier [1]." }, true},
		"doubtful":           {says(quoted), rank.Unsure, func(s string) bool { return s == quoted }, false},
		"unlikely":           {says(quoted), rank.Unlikely, func(s string) bool { return s == quoted }, false},
		"unlikely, replaced": {says("Je crois que oui."), rank.Unlikely, func(s string) bool { return strings.HasSuffix(s, quoted) }, false},
		"abstains": {writes(func(_ context.Context, _ llm.Prompt, yield func(string) error) error {
			return errors.Join(yield("Rien trouvé."), llm.ErrAbstained)
		}), rank.Sure, func(s string) bool { return s == "Rien trouvé." }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := oneHit()
			f.result.Verdict = c.verdict
			b := setup(t, c.model, f)
			b.Models["extrait"], b.Fallback = quotes, "extrait"
			check(t, b.Run(t.Context(), b.id))
			m := b.message(t)
			if !c.want(m.Content) || m.Content != b.stream.text || m.Validation.OK != c.ok {
				t.Errorf("%q, validation %+v", m.Content, m.Validation)
			}
			if c.verdict != rank.Sure && !strings.Contains(*m.Validation.Warning, "pas sûr") {
				t.Errorf("warning %q", *m.Validation.Warning)
			}
		})
	}
}
