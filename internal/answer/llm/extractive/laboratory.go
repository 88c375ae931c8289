package extractive

import (
	"slices"

	"vigueur/internal/answer/llm"
)

// The functions by which the laboratory trains the models of sentences.

// Sentence is a sentence that may be quoted, as the training of the model sees it.
type Sentence struct {
	Passage  *llm.Passage
	Text     string // after the line that introduces it, if it is an item of a long list
	Features Features
}

func (u unit) sentence() Sentence {
	s := Sentence{Passage: u.passage, Text: u.text, Features: u.features}
	if u.introduction != nil {
		s.Text = u.introduction.text + " " + s.Text
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

// Sentences returns the sentences of the considered passages, by descending score. Scores
// are learned to compare sentences of one passage. It returns nil if no passage has a word
// of the question.
func (g *Generator) Sentences(p llm.Prompt) []Sentence {
	q, all := g.scoredUnits(p)
	if len(q.words) == 0 {
		return nil
	}
	return sentences(byScore(all))
}

// Chosen returns the sentences that a sure answer quotes.
func (g *Generator) Chosen(p llm.Prompt) []Sentence { return sentences(g.choose(p)) }

// FeatureNames returns the names of the features, in order.
func FeatureNames() []string { return slices.Clone(featureNames[:]) }
