package retrieve

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/flat"
	"vigueur/internal/french"
)

const (
	// enough is the share of a question's weight that an article must carry for
	// an answer to rest on it, as measured: see TestSampleQuestions.
	enough = 0.45
	// judgedHits is how many of the best articles are looked at for it.
	judgedHits = 5
	// resembling is how alike two words must be for one to stand for the other.
	resembling = 0.5
	// nameWeight is how much more a name counts than another word as rare: what is
	// said of Cameroon answers no question about Congo.
	nameWeight = 2
	// standIn is what the law's own word for a lay one carries of it.
	standIn = 0.9
)

// coverage is the share of the question's weight that one of the best hits
// carries: its words, each as much as it is rare, found in the article, its
// headings or the text's title, as they are, by a word that resembles them, or
// by the law's word for them. The names alone do not make it, nor the other
// words alone: the lesser of the shares with and without the names counts.
func (s *Searcher) coverage(q flat.Query, hits []Hit) float64 {
	asked := s.asked(q)
	best := 0.0
	for _, h := range hits[:min(len(hits), judgedHits)] {
		best = max(best, asked.carried(vocabulary(h)))
	}
	return best
}

// asked is what a question asks for.
type asked struct {
	terms   []string
	weights []float64
	names   map[string]bool
	matches []french.Match
}

func (s *Searcher) asked(q flat.Query) asked {
	a := asked{terms: once(french.Terms(q.Text + "\n" + q.Earlier)), names: properNames(q.Text)}
	a.weights = s.Index.Rarity(a.terms)
	a.matches = s.Lexicon.Matches(a.terms)
	return a
}

// properNames are the terms that a question writes with a capital, its first word
// aside: countries, towns, acronyms.
func properNames(text string) map[string]bool {
	names := make(map[string]bool)
	for _, sentence := range french.Sentences(text) {
		for i, t := range french.Analyze(text[sentence.Start:sentence.End]) {
			first, _ := utf8.DecodeRuneInString(text[sentence.Start+t.Start:])
			if i > 0 && t.Kind == french.Word && unicode.IsUpper(first) {
				names[t.Term] = true
			}
		}
	}
	return names
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

// carried is the share that an article with these terms carries.
func (a asked) carried(has map[string]bool) float64 {
	shares := a.shares(has)
	var plain, plainAll, all, allAll float64
	for i, w := range a.weights {
		if a.names[a.terms[i]] {
			w *= nameWeight
		} else {
			plain += w * shares[i]
			plainAll += w
		}
		all += w * shares[i]
		allAll += w
	}
	switch {
	case allAll == 0:
		return 0
	case plainAll == 0:
		return all / allAll
	}
	return min(plain/plainAll, all/allAll)
}

// shares is how much of each term an article with these terms has.
func (a asked) shares(has map[string]bool) []float64 {
	shares := make([]float64, len(a.terms))
	for i, t := range a.terms {
		shares[i] = likest(t, has)
	}
	for _, m := range a.matches {
		for _, alternative := range m.Legal {
			found := 0.0
			for _, t := range alternative {
				if has[t] {
					found += 1 / float64(len(alternative))
				}
			}
			// Squared: « taxe » and « valeur » apart are not « la TVA ».
			for i := m.Start; i < m.End; i++ {
				shares[i] = max(shares[i], standIn*found*found)
			}
		}
	}
	return shares
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
