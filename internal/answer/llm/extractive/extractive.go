// Package extractive writes answers without a language model: it quotes, word for word,
// the sentences of the found passages that best match the question. Each quotation is
// introduced by its article and text and followed by its « [n] ».
//
// It is deterministic, needs only the prompt and has no failure of its own. If the prompt
// says that nothing found answers, it says so in plain French, names the nearest texts
// for reading, and cites nothing. If it is doubtful which passage answers, it quotes the
// best sentences of the first few articles as candidates.
package extractive

import (
	"context"
	"fmt"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// Model is the id of this generator.
const Model = "extractif"

// Generator is an llm.Generator. Its fields are set once; it is safe for concurrent use.
type Generator struct {
	Lexicon *french.Lexicon
	Learned *Learned // nil means the embedded weights
}

func (g *Generator) weights() *Learned {
	if g.Learned != nil {
		return g.Learned
	}
	return builtin()
}

// Generate writes the answer, with one call of yield per introduction and per quotation.
// Its error is that of yield or of ctx, or llm.ErrAbstained if no sentence of the
// passages answers.
func (g *Generator) Generate(ctx context.Context, p llm.Prompt, yield func(delta string) error) error {
	switch {
	case !p.Verdict.Answers():
		return abstain(p, yield)
	case !p.Verdict.Certain():
		return g.candidates(ctx, p, yield)
	}
	chosen := g.choose(p)
	if len(chosen) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	if p.Country != "" {
		if err := yield(countryNote(p)); err != nil {
			return err
		}
	}
	chosen = joinSentences(chosen)
	for i, u := range chosen {
		if err := ctx.Err(); err != nil {
			return err
		}
		var before *unit
		if i > 0 {
			before = &chosen[i-1]
		}
		if err := yield(introduce(u, before)); err != nil {
			return err
		}
		if err := yield(fmt.Sprintf("« %s » [%d]", u.quote(), u.passage.N)); err != nil {
			return err
		}
	}
	return nil
}

// countryNote returns the note that names the country whose law is quoted, and the other
// countries whose law may answer too. It precedes the quotations and cites nothing.
func countryNote(p llm.Prompt) string {
	return "Droit cité : " + p.Country + " (la question ne nomme pas de pays, et des textes peuvent répondre aussi pour : " +
		strings.Join(p.Others, ", ") + ") :\n\n"
}

// joinSentences merges the sentences of an article into one quotation, with « […] » where
// text between them is omitted, such as the first items of a list.
func joinSentences(chosen []unit) []unit {
	var out []unit
	for _, u := range chosen {
		if n := len(out); n > 0 && out[n-1].passage == u.passage && out[n-1].quoted == u.quoted {
			before := &out[n-1]
			if strings.TrimSpace(u.passage.Text[before.to:max(before.to, u.from)]) != "" {
				before.text += " […]"
			}
			before.text += " " + u.text
			before.to = max(before.to, u.to)
			continue
		}
		out = append(out, u)
	}
	return out
}

// introduce returns the introduction of a quotation, which names its article. before is
// the previous quotation, nil for the first.
func introduce(u unit, before *unit) string {
	says := " dispose : "
	if u.quoted != "" {
		says = ", qui donne le texte de l’article " + u.quoted + ", dispose : "
	}
	switch {
	case before == nil:
		return source(*u.passage, "") + says
	case before.passage.N == u.passage.N:
		return "\nEt, pour l’article " + u.quoted + " : "
	}
	return "\n\n" + source(*u.passage, owningTitle(*before.passage)) + says
}

// abstain writes that nothing found answers, and names the nearest texts.
func abstain(p llm.Prompt, yield func(string) error) error {
	if err := yield("Je n’ai trouvé dans le catalogue aucun texte qui réponde à cette question."); err != nil {
		return err
	}
	if len(p.Missing) > 0 {
		if err := yield(" Le catalogue n’a pas le texte demandé : " + strings.Join(p.Missing, " ; ") + "."); err != nil {
			return err
		}
	}
	if p.Read().Own {
		if err := yield(" Pour un avis sur votre situation, adressez-vous à un avocat ou à un service d’aide juridique."); err != nil {
			return err
		}
	}
	names := nearest(p.Passages)
	if len(names) == 0 {
		return nil
	}
	return yield("\n\nLes textes les plus proches, à lire sans certitude d’y trouver la réponse : " + strings.Join(names, " ; ") + ".")
}

// nearestLimit is the maximum number of texts that an abstention names.
const nearestLimit = 3

func nearest(passages []llm.Passage) []string {
	var names []string
	seen := make(map[string]bool)
	for _, p := range passages {
		if !p.Readable || seen[owningTitle(p)] || len(names) == nearestLimit {
			continue
		}
		seen[owningTitle(p)] = true
		name := law.Within(owningTitle(p))
		if p.Article != "" {
			name += ", " + strings.TrimPrefix(law.Small(articleName(p)), "l’")
		}
		names = append(names, name)
	}
	return names
}
