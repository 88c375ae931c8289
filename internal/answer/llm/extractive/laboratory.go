package extractive

import (
	"slices"

	"vigueur/internal/answer/llm"
)

// What the laboratory needs to train the models of sentences.

// Sentence is one that may be quoted, as the training of the model sees it.
type Sentence struct {
	Passage  *llm.Passage
	Text     string // with the line that introduces it, if it is an item of a long list
	Features Features
}

func (u unit) sentence() Sentence {
	s := Sentence{Passage: u.passage, Text: u.text, Features: u.features}
	if u.lead != nil {
		s.Text = u.lead.text + " " + s.Text
	}
	return s
}

func sentences(units []unit) []Sentence {
	out := make([]Sentence, len(units))
	for i, u := range units {
		out[i] = u.sentence()
	}
	return out
}

// Sentences returns those of the prompt's passages that are read, by their score, which is
// comparable within a passage. A question without a word that any of them has gives none.
func (g *Generator) Sentences(p llm.Prompt) []Sentence {
	q, all := g.weighed(p)
	if len(q.words) == 0 {
		return nil
	}
	return sentences(ranked(all))
}

// Steps quotes the best sentence of a prompt with what belongs to it, and then what next
// takes of those that are offered beside it; -1 ends it.
func (g *Generator) Steps(p llm.Prompt, next func(quoted []Sentence, offers []Offer) int) {
	q, all := g.weighed(p)
	if len(all) == 0 || len(q.words) == 0 {
		return
	}
	q.steps(all, func(quoted []unit, offers []Offer) int { return next(sentences(quoted), offers) })
}

// Chosen returns the sentences that a sure answer quotes.
func (g *Generator) Chosen(p llm.Prompt) []Sentence { return sentences(g.choose(p)) }

// FeatureNames are the names of the features, in order.
func FeatureNames() []string { return slices.Clone(featureNames[:]) }

// OfferNames are the names of the features of an offer, in order.
func OfferNames() []string { return slices.Clone(offerNames[:]) }
