// Package extractive writes answers without a language model: it quotes, word for word,
// the sentences of the found passages that best match the question. Each quotation is
// introduced by its article and text and followed by its « [n] ».
//
// It is deterministic, needs only the prompt and has no failure of its own. If the prompt
// says that nothing found answers, it says so in plain French, names the nearest texts
// for reading, and cites nothing. Unless the best article surely answers, it quotes as
// many of the first articles as it takes for one of them to answer most likely.
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
	if err := yieldNotes(p, yield); err != nil {
		return err
	}
	if p.Country != "" {
		if err := yield(countryNote(p)); err != nil {
			return err
		}
	}
	return quote(ctx, joinSentences(chosen), yield)
}

// quote writes the chosen sentences, each with its introduction.
func quote(ctx context.Context, chosen []unit, yield func(string) error) error {
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
		if err := yield(fmt.Sprintf("« %s » %s", u.quote(), Marks(*u.passage))); err != nil {
			return err
		}
	}
	return nil
}

// titleBefore returns the title of the text of before if p is of the same text, else "": codes
// of two countries may have one title.
func titleBefore(p, before *llm.Passage) string {
	if p.Country != before.Country || p.Number != before.Number || p.Edition != before.Edition {
		return ""
	}
	return owningTitle(*before)
}

// yieldNotes says what of a request is not done, and which day's law is quoted if the question itself says it: of a month
// or a year it is the last day.
func yieldNotes(p llm.Prompt, yield func(string) error) error {
	q := p.Read()
	if note := undone[q.Request]; note != "" {
		if err := yield(note + " :\n\n"); err != nil {
			return err
		}
	}
	if day := q.Day; day != nil && p.Date.Equal(*day) {
		return yield("Date retenue : " + law.WriteDate(*day) + ".\n\n")
	}
	return nil
}

// countryNote returns the note that names the country whose law is quoted, and the other
// countries whose law may answer too. It precedes the quotations and cites nothing.
func countryNote(p llm.Prompt) string {
	others := ""
	if len(p.Others) > 0 {
		others = ", et des textes peuvent répondre aussi pour : " + strings.Join(p.Others, ", ")
	}
	return "Droit cité : " + p.Country + " (la question ne nomme pas de pays" + others + ") :\n\n"
}

// joinSentences merges the sentences of an article into one quotation, with « […] » where
// text between them is omitted, such as the first items of a list, and on lines of their
// own where they are printed so.
func joinSentences(chosen []unit) []unit {
	var out []unit
	for _, u := range chosen {
		if n := len(out); n > 0 && out[n-1].passage == u.passage && out[n-1].quoted == u.quoted {
			before := &out[n-1]
			between := u.passage.Text[before.to:max(before.to, u.from)]
			if strings.TrimSpace(between) != "" {
				before.text += " […]"
			}
			if strings.Contains(between, "\n") { // another alinéa, or another item of a list
				before.text += "\n" + u.text
			} else {
				before.text += " " + u.text
			}
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
	return "\n\n" + source(*u.passage, titleBefore(u.passage, before.passage)) + says
}
