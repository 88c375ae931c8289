package retrieve

import (
	"strings"

	"vigueur/internal/flat"
	"vigueur/internal/french"
)

const (
	// enough is the share of a question's weight that an article must carry for
	// an answer to rest on it, as measured: see TestAbstention.
	enough = 0.5
	// judgedHits is how many of the best articles are looked at for it.
	judgedHits = 5
	// resembling is how alike two words must be for one to stand for the other.
	resembling = 0.5
	// standIn is what the law's own word for a lay one carries of it.
	standIn = 0.9
)

// coverage is the share of the question's weight that one of the best hits
// carries: its words, each as much as it is rare, found in the article, its
// headings or the text's title, as they are, by a word that resembles them, or
// by the law's word for them.
func (s *Searcher) coverage(q flat.Query, hits []Hit) float64 {
	terms := once(french.Terms(q.Text + "\n" + q.Earlier))
	if len(terms) == 0 {
		return 0
	}
	weights := s.Index.Rarity(terms)
	matches := s.Lexicon.Matches(terms)
	best := 0.0
	for _, h := range hits[:min(len(hits), judgedHits)] {
		best = max(best, carried(terms, weights, matches, vocabulary(h)))
	}
	return best
}

func once(terms []string) []string {
	seen := make(map[string]bool)
	out := terms[:0]
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// vocabulary are the terms of an article and of what stands above it.
func vocabulary(h Hit) map[string]bool {
	terms := make(map[string]bool)
	add := func(text string) {
		for _, t := range french.Terms(text) {
			terms[t] = true
		}
	}
	add(h.Text())
	add(h.Document.Title)
	add(h.Article.Heading)
	for _, p := range h.Article.Path {
		add(p)
	}
	return terms
}

func carried(terms []string, weights []float64, matches []french.Match, has map[string]bool) float64 {
	shares := make([]float64, len(terms))
	for i, t := range terms {
		shares[i] = likest(t, has)
	}
	for _, m := range matches {
		for _, alternative := range m.Legal {
			found := 0
			for _, t := range alternative {
				if has[t] {
					found++
				}
			}
			for i := m.Start; i < m.End; i++ {
				shares[i] = max(shares[i], standIn*float64(found)/float64(max(1, len(alternative))))
			}
		}
	}
	sum, all := 0.0, 0.0
	for i, w := range weights {
		sum += w * shares[i]
		all += w
	}
	return sum / all
}

// likest is how alike the likest term with the same beginning is, 0 when none
// resembles t.
func likest(t string, has map[string]bool) float64 {
	const beginning = 3
	switch {
	case has[t]:
		return 1
	case len(t) <= beginning:
		return 0
	}
	best := 0.0
	for h := range has {
		if strings.HasPrefix(h, t[:beginning]) {
			best = max(best, french.Similar(t, h))
		}
	}
	if best < resembling {
		return 0
	}
	return best
}
