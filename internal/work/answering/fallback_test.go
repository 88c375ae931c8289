package answering_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/search/decide"
	"vigueur/internal/store/chat"
)

// quotes is the fallback in these tests.
var quotes = writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
	if !p.Verdict.Answers() {
		return errors.Join(yield("Rien."), llm.ErrAbstained)
	}
	return yield("« Elle est d’un mois pour l’ouvrier. » [1]")
})

// refusal is as real ones are: with numbers, titles and days, and no citation.
const refusal = "Je n’ai trouvé dans le catalogue aucun texte qui réponde à cette question. J’ai cherché : le droit en vigueur le 28/11/2026.\n\n" +
	"Les textes les plus proches, à lire sans certitude d’y trouver la réponse : Loi n° 2017-05 du 29 août 2017 ; Décret n° 98-12 du 3 mars 1998, article 7."

// refuses is a model that finds no answer.
var refuses = writes(func(_ context.Context, p llm.Prompt, _ func(string) error) error {
	for piece := range strings.SplitAfterSeq(refusal, ". ") {
		if err := p.Refuse(piece); err != nil {
			return err
		}
	}
	return llm.ErrAbstained
})

// fails returns a generator that writes the pieces and then fails.
func fails(kind errs.Kind, pieces ...string) writes {
	return func(ctx context.Context, p llm.Prompt, yield func(string) error) error {
		if err := says(pieces...)(ctx, p, yield); err != nil {
			return err
		}
		return errs.New(kind, "")
	}
}

// cutOff returns a generator that writes the pieces and then reaches its limit.
func cutOff(pieces ...string) writes {
	return func(ctx context.Context, p llm.Prompt, yield func(string) error) error {
		return errors.Join(says(pieces...)(ctx, p, yield), llm.ErrCut)
	}
}

// TestAModelsAnswerIsReplaced checks three things. A text that cites nothing or only
// repeats the question is never shown. A model may abstain. If the model fails, the
// fallback gives the same answer as without a model, which may be a refusal.
func TestAModelsAnswerIsReplaced(t *testing.T) {
	const quoted = "« Elle est d’un mois pour l’ouvrier. » [1]"
	for name, c := range map[string]struct {
		model   llm.Generator
		verdict decide.Grade
		want    func(content string) bool
		ok      bool
	}{
		"refuses": {refuses, decide.Sure, func(s string) bool { return s == refusal }, false},
		"cites nothing": {says("Le préavis est ", "de trois mois."), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle n’a pas cité") && strings.HasSuffix(s, quoted) && !strings.Contains(s, "trois")
		}, true},
		"cites what is not there": {says("Le préavis est de trois mois [9]."), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle n’a pas cité") && strings.HasSuffix(s, quoted)
		}, true},
		"an echo": {says("Quel est le préavis [1] ?"), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle n’a fait que reprendre") && strings.HasSuffix(s, quoted)
		}, true},
		"cites late": {says("Elle est d’un mois ", "pour l’ouvrier ", "[1]."), decide.Sure, func(s string) bool { return s == "Elle est d’un mois pour l’ouvrier [1]." }, true},
		"a false number": {says("Selon la loi, le préavis ", "est de six mois [1]."), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle a écrit ce que les textes ne disent pas") && strings.HasSuffix(s, quoted) && !strings.Contains(s, "six")
		}, true},
		"a false quotation": {says("L’article dit : « Elle est de dix jours pour tous. » [1]"), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle a écrit") && !strings.Contains(s, "dix")
		}, true},
		"false at the end": {says("Elle est d’un mois pour l’ouvrier [1]. ", "Elle est de six", " mois pour le cadre [1]."), decide.Sure, func(s string) bool {
			return s == "Elle est d’un mois pour l’ouvrier [1]. […]"
		}, false},
		"a number without a source": {says("Elle est d’un mois pour l’ouvrier [1]. Le cadre a droit à 40 jours. Voilà."), decide.Sure, func(s string) bool {
			return s == "Elle est d’un mois pour l’ouvrier [1]. […] Voilà."
		}, false},
		"round in circles": {says("Elle est d’un mois pour l’ouvrier [1]. ", "Elle est de la question de la question de la question [1]. Voilà."), decide.Sure, func(s string) bool {
			return s == "Elle est d’un mois pour l’ouvrier [1]. […] Voilà."
		}, false},
		"round in circles without a source": {says("Elle est d’un mois pour l’ouvrier [1]. Elle est de la question de la question de la question. Voilà."), decide.Sure, func(s string) bool {
			return s == "Elle est d’un mois pour l’ouvrier [1]. […] Voilà."
		}, false},
		"mostly false": {says("Elle est de six mois [1]. Elle est d’un mois pour l’ouvrier [1]. ", "Elle est de neuf mois [1]."), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "[…] Elle est d’un mois pour l’ouvrier [1]. […]\n\nLe reste") && strings.HasSuffix(s, quoted)
		}, false},
		"a sentence without a source": {says("Elle est d’un mois pour l’ouvrier [1]. Bonne chance."), decide.Sure, func(s string) bool {
			return s == "Elle est d’un mois pour l’ouvrier [1]. Bonne chance."
		}, false},
		"a mark on its own line": {says("Elle est d’un mois pour l’ouvrier.", "\n[1]\n", "Elle est écrite [1]."), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Elle est d’un mois pour l’ouvrier.")
		}, true},
		"does not answer": {fails(errs.Unavailable), decide.Sure, func(s string) bool {
			return s == "Le modèle ne répond pas ; voici ce que disent les textes du catalogue :\n\n"+quoted
		}, true},
		"its bound is reached": {writes(func(context.Context, llm.Prompt, func(string) error) error {
			return errs.Wrap(errs.Unavailable, "Le modèle est occupé.", llm.ErrBusy)
		}), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle est trop demandé ; voici") && strings.HasSuffix(s, quoted)
		}, true},
		"cannot serve": {fails(errs.Unprocessable), decide.Sure, func(s string) bool { return strings.HasPrefix(s, "Le modèle n’a pas pu répondre ; voici") }, true},
		"breaks off early": {fails(errs.Unavailable, "Elle est d’un"), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Le modèle ne répond pas") && strings.HasSuffix(s, quoted)
		}, true},
		"breaks off": {fails(errs.Unavailable, "Elle est d’un mois pour l’ouvrier [1]. ", "Elle est"), decide.Sure, func(s string) bool {
			return strings.HasPrefix(s, "Elle est d’un mois pour l’ouvrier [1].") && strings.Contains(s, "Le modèle s’est interrompu") && strings.HasSuffix(s, quoted)
		}, false},
		"is cut in mid-sentence": {cutOff("Elle est d’un mois pour l’ouvrier [1]. ", "Elle est de 40"), decide.Sure, func(s string) bool {
			return s == "Elle est d’un mois pour l’ouvrier [1]. […]"
		}, false},
		"likely":             {says(quoted), decide.Likely, func(s string) bool { return s == quoted }, true},
		"doubtful":           {says(quoted), decide.Unsure, func(s string) bool { return s == quoted }, false},
		"unlikely":           {says(quoted), decide.Refused, func(s string) bool { return s == quoted }, false},
		"unlikely, replaced": {says("Je crois que oui."), decide.Refused, func(s string) bool { return s == "Le modèle n’a pas cité de texte.\n\nRien." }, false},
		"unlikely, down":     {fails(errs.Unavailable), decide.Refused, func(s string) bool { return s == "Le modèle ne répond pas.\n\nRien." }, false},
		"unlikely, breaks off": {fails(errs.Unavailable, "Elle est d’un mois pour l’ouvrier [1]. Elle "), decide.Refused, func(s string) bool {
			return strings.HasPrefix(s, "Elle est d’un mois") && strings.Contains(s, "s’est interrompu ; voici") && strings.HasSuffix(s, quoted)
		}, false},
		"abstains": {writes(func(_ context.Context, _ llm.Prompt, yield func(string) error) error {
			return errors.Join(yield("Rien trouvé."), llm.ErrAbstained)
		}), decide.Sure, func(s string) bool { return s == "Rien trouvé." }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := oneHit()
			f.result.Verdict.Grade = c.verdict
			b := setup(t, c.model, f)
			b.Models["extrait"], b.Fallback = quotes, "extrait"
			check(t, b.Run(t.Context(), b.id))
			m := b.message(t)
			if !c.want(m.Content) || m.Content != b.stream.text || m.Validation.OK != c.ok {
				t.Errorf("%q, validation %+v", m.Content, m.Validation)
			}
			want := ""
			switch {
			case strings.HasSuffix(m.Content, "Rien."):
				want = "Aucun texte du catalogue ne répond"
			case c.verdict < decide.Likely:
				want = "pas sûr"
			}
			grade := map[decide.Grade]chat.Grade{decide.Sure: chat.Sure, decide.Likely: chat.Likely, decide.Unsure: chat.Unsure, decide.Refused: chat.Unsure}[c.verdict]
			if strings.Contains(m.Content, "[…]") {
				grade, want = chat.Likely, "à la place de […]"
			}
			if len(m.Citations) == 0 {
				grade = chat.Refused
			}
			if m.Certainty == nil || m.Certainty.Grade != grade || m.Certainty.Probability != 1 {
				t.Errorf("certainty %+v, want %s", m.Certainty, grade)
			}
			if want != "" && !strings.Contains(*m.Validation.Warning, want) {
				t.Errorf("warning %q", *m.Validation.Warning)
			}
		})
	}
}

// With AtOnce, an unsupported text of the model gets a warning and is not replaced.
func TestAModelShownAtOnce(t *testing.T) {
	b := setup(t, says("Elle est d’un mois [1]. ", "Le cadre a six mois [1]."), oneHit())
	b.Models["extrait"], b.Fallback, b.AtOnce = quotes, "extrait", true
	check(t, b.Run(t.Context(), b.id))
	if m := b.message(t); m.Content != "Elle est d’un mois [1]. Le cadre a six mois [1]." || m.Validation.OK || len(b.stream.ended) != 1 {
		t.Errorf("%q, %+v", m.Content, m.Validation)
	}
}

// TestAPartIsNotFollowedByARefusal checks that the part of an answer that a model wrote
// until it broke off is not followed by the statement that nothing was found.
func TestAPartIsNotFollowedByARefusal(t *testing.T) {
	b := setup(t, fails(errs.Unavailable, "Elle est d’un mois pour l’ouvrier [1]. Elle "), oneHit())
	b.Models["rien"], b.Fallback = writes(func(_ context.Context, _ llm.Prompt, yield func(string) error) error {
		return errors.Join(yield("Rien."), llm.ErrAbstained)
	}), "rien"
	check(t, b.Run(t.Context(), b.id))
	m := b.message(t)
	if m.Content != "Elle est d’un mois pour l’ouvrier [1].\n\nLe modèle s’est interrompu." || len(m.Citations) != 1 {
		t.Errorf("%q, %d citations", m.Content, len(m.Citations))
	}
	if w := m.Validation.Warning; w == nil || *w != "La réponse a été interrompue avant la fin." {
		t.Errorf("validation %+v", m.Validation)
	}
}
