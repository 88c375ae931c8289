package extractive

import (
	"maps"
	"math"
	"slices"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
	read "vigueur/internal/search/question"
)

// question is the analyzed question with which sentences are compared.
type question struct {
	words   []word
	sums    [classes]float64 // of the words' weights
	wanted  french.Figures
	named   map[string]bool // terms of the articles that it names
	listed  bool            // it asks for a list or a procedure
	modal   bool            // it asks for a permission or a duty
	defined bool            // it asks for a definition
	bare    bool            // it only names or refers to something
	nouns   map[string]bool // the terms that ask for a figure: « durée », « âge », « taux »
	things  string          // the term of what it asks to count, "" for none
	vector  []float32       // its meaning; nil: none of its words is known
}

// class is what a word of a question is there for.
type class int

const (
	subject class = iota // says what is asked about
	shaping              // only indicates the kind of answer: « délai », « montant »
	earlier              // of the previous question
	classes
)

// word is a word of a question with its equivalents.
type word struct {
	term   string
	class  class
	weight float64            // its rarity among the sentences
	forms  map[string]float64 // terms with their likeness to it, 0 to 1
	legal  [][]string         // legal synonyms: all terms of one must occur
}

// question returns the significant words of a question with their weights: higher for words
// that are rare among the units. Names of countries select a text, not a sentence of it.
func (g *Generator) question(p llm.Prompt, all []unit) question {
	asked := p.Read()
	own := read.Words(p.Question)
	q := question{wanted: asked.Figures, named: make(map[string]bool), nouns: make(map[string]bool), things: asked.Counted,
		listed: asked.Kind.Has(read.Listed), modal: asked.Kind.Has(read.Modal), defined: asked.Kind.Has(read.Definition)}
	for _, t := range own {
		q.nouns[t] = figureNouns[t]
	}
	for _, t := range french.Analyze(p.Question) {
		if t.Kind == french.Article {
			q.named[t.Term] = true
		}
	}
	vocabulary := make(map[string]int)
	for _, u := range all {
		for t := range u.terms {
			vocabulary[t]++
		}
	}
	seen := make(map[string]bool)
	q.add(g.Lexicon, own, false, len(all), vocabulary, seen)
	q.bare = len(asked.Substance()) == 0
	if n := len(p.History); n > 0 {
		q.add(g.Lexicon, read.Words(p.History[n-1].Question), true, len(all), vocabulary, seen)
	}
	q.vector, _ = encoder().Encode(p.Question)
	return q
}

// add adds the words of a question, each once.
func (q *question) add(lexicon *french.Lexicon, terms []string, before bool, units int, vocabulary map[string]int, seen map[string]bool) {
	matches := lexicon.Matches(terms)
	for i, t := range terms {
		if seen[t] {
			continue
		}
		seen[t] = true
		w := word{term: t, forms: alike(t, vocabulary)}
		for _, m := range matches {
			if m.Start <= i && i < m.End {
				w.legal = append(w.legal, m.Legal...)
			}
		}
		holders := 0.0
		for _, form := range slices.Sorted(maps.Keys(w.forms)) { // in one order, for the same sum
			holders += w.forms[form] * w.forms[form] * float64(vocabulary[form])
		}
		if holders = max(holders, held(w.legal, vocabulary)); holders == 0 {
			continue
		}
		w.weight = math.Log(1 + float64(units)/math.Max(1, holders))
		switch {
		case before:
			w.class = earlier
		case french.Shaping(t) || french.Measure(t):
			w.class = shaping
		}
		q.words = append(q.words, w)
		q.sums[w.class] += w.weight
	}
}

// held is an upper bound of how many units contain one of some phrases: for each phrase
// those with its rarest term.
func held(phrases [][]string, vocabulary map[string]int) (most float64) {
	for _, terms := range phrases {
		rarest := math.Inf(1)
		for _, t := range terms {
			rarest = min(rarest, float64(vocabulary[t]))
		}
		if len(terms) > 0 {
			most = max(most, rarest)
		}
	}
	return most
}

// alike returns the terms that are similar to t with their similarity; t itself with 1.
func alike(t string, vocabulary map[string]int) map[string]float64 {
	forms := make(map[string]float64)
	for term := range vocabulary {
		switch {
		case term == t:
			forms[term] = 1
		case len(term) > 3 && len(t) > 3 && term[:3] == t[:3]:
			if like := french.Akin(t, term); like > 0 {
				forms[term] = like
			}
		}
	}
	return forms
}

// plain is how much of the word a set of terms contains, 0 to 1: the word itself or one
// like it.
func (w *word) plain(terms map[string]bool) (best float64) {
	for form, like := range w.forms {
		if like > best && terms[form] {
			best = like
		}
	}
	return best
}

// translated is how much of one of the word's legal synonyms a set of terms contains, 0
// to 1.
func (w *word) translated(terms map[string]bool) (best float64) {
	for _, phrase := range w.legal {
		found := 0
		for _, t := range phrase {
			if terms[t] {
				found++
			}
		}
		best = max(best, float64(found)/float64(max(1, len(phrase))))
	}
	return best
}

// carried is how much of the word a set of terms contains in either way.
func (w *word) carried(terms map[string]bool) float64 {
	return max(w.plain(terms), w.translated(terms))
}

// counting is the class of words that shares of the question are taken of: those that say
// what is asked about, or else, in a question that has none, all that it has.
func (q *question) counting() class {
	for c := range classes {
		if q.sums[c] > 0 {
			return c
		}
	}
	return subject
}

// share is the share of the question that some terms contain.
func (q *question) share(terms []string) (share float64) {
	of := make(map[string]bool, len(terms))
	for _, t := range terms {
		of[t] = true
	}
	return q.shareOf(func(w *word) float64 { return w.carried(of) })
}

// shareOf is the share of the question whose words are there, each as much as is told.
func (q *question) shareOf(there func(w *word) float64) (share float64) {
	c := q.counting()
	for i := range q.words {
		if w := &q.words[i]; w.class == c {
			share += w.weight * there(w) / q.sums[c]
		}
	}
	return share
}

// adds is the share of the question that u contains by itself and none of the chosen units
// does.
func (q *question) adds(u unit, chosen []unit) float64 {
	return q.shareOf(func(w *word) float64 {
		said := 0.0
		for _, c := range chosen {
			said = max(said, w.carried(c.terms))
		}
		return max(0, w.carried(u.terms)-said)
	})
}
