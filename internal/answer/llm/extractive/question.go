package extractive

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	read "vigueur/internal/search/question"
)

// question is the analysis of a question, with which sentences are compared.
type question struct {
	words   []word
	sums    [classes]float64 // sums of the words' weights, by class
	wanted  french.Figures   // kinds of figures that it asks for
	named   map[string]bool  // terms of the articles that it names
	modal   bool             // it asks for a permission or a duty
	defined bool             // it asks for a definition
	bare    bool             // it only names or refers to something
	nouns   map[string]bool  // terms of its nouns that ask for a figure: « durée », « âge », « taux »
	things  string           // term of the things whose number it asks for; "" for none
	vector  []float32        // vector of its meaning; nil if none of its words is known
}

// class is what a word does in a question.
type class int

const (
	subject class = iota // says what the question is about
	shaping              // only indicates the kind of answer: « délai », « montant »
	earlier              // occurs only in the previous question
	classes
)

// word is a word of a question with its equivalents.
type word struct {
	term   string
	class  class
	weight float64            // its rarity among the units
	forms  map[string]float64 // similar terms, with their similarity, 0 to 1
	legal  [][]string         // legal synonyms; each is a phrase, all of whose terms must occur
}

// question analyzes a prompt. Words that are rare among the units get higher weights.
// Names of countries get none: they select a text, not a sentence of it.
func (g *Generator) question(p llm.Prompt, all []unit) question {
	asked := p.Read()
	own := read.Words(p.Question)
	q := question{wanted: asked.Figures, named: make(map[string]bool), nouns: make(map[string]bool), things: asked.Counted,
		modal: asked.Kind.Has(read.Modal), defined: asked.Kind.Has(read.Definition)}
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
	q.addWords(g.Lexicon, own, false, len(all), vocabulary, seen)
	q.bare = len(asked.Substance()) == 0
	if n := len(p.History); n > 0 {
		q.addWords(g.Lexicon, read.Words(p.History[n-1].Question), true, len(all), vocabulary, seen)
	}
	q.vector, _ = encoder().Encode(p.Question)
	return q
}

// addWords adds the words of a question that are not seen yet. previous says that it is the
// previous question.
func (q *question) addWords(lexicon *french.Lexicon, terms []string, previous bool, units int, vocabulary map[string]int, seen map[string]bool) {
	matches := lexicon.Matches(terms)
	for i, t := range terms {
		if seen[t] {
			continue
		}
		seen[t] = true
		w := word{term: t, forms: similarTerms(t, vocabulary)}
		for _, m := range matches {
			if m.Start <= i && i < m.End {
				w.legal = append(w.legal, m.Legal...)
			}
		}
		holders := 0.0
		for _, form := range slices.Sorted(maps.Keys(w.forms)) { // in one order, for the same sum
			holders += w.forms[form] * w.forms[form] * float64(vocabulary[form])
		}
		if holders = max(holders, maxHolders(w.legal, vocabulary)); holders == 0 {
			continue
		}
		w.weight = math.Log(1 + float64(units)/math.Max(1, holders))
		switch {
		case previous:
			w.class = earlier
		case french.Shaping(t) || french.Measure(t):
			w.class = shaping
		}
		q.words = append(q.words, w)
		q.sums[w.class] += w.weight
	}
}

// maxHolders returns an upper bound for the number of units that contain the most
// frequent of the phrases. The bound of one phrase is the number of units that contain
// its rarest term.
func maxHolders(phrases [][]string, vocabulary map[string]int) (most float64) {
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

// similarTerms returns the terms similar to t, with their similarity; t itself has 1.
func similarTerms(t string, vocabulary map[string]int) map[string]float64 {
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

// similarity returns how much of the word is among the terms: its greatest similarity to one
// of them, 0 to 1.
func (w *word) similarity(terms map[string]bool) (best float64) {
	for form, like := range w.forms {
		if like > best && terms[form] {
			best = like
		}
	}
	return best
}

// legalShare returns the greatest share of the terms of one of the word's legal synonyms
// that is among the terms.
func (w *word) legalShare(terms map[string]bool) (best float64) {
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

// containedIn returns how much of the word is among the terms, as itself or by a legal
// synonym.
func (w *word) containedIn(terms map[string]bool) float64 {
	return max(w.similarity(terms), w.legalShare(terms))
}

// shareClass returns the class whose words the shares of the question are computed from:
// those that say what it is about, or the next class that has words.
func (q *question) shareClass() class {
	for c := range classes {
		if q.sums[c] > 0 {
			return c
		}
	}
	return subject
}

// share returns the share of the question that is among the terms.
func (q *question) share(terms []string) (share float64) {
	set := make(map[string]bool, len(terms))
	for _, t := range terms {
		set[t] = true
	}
	return q.shareOf(func(w *word) float64 { return w.containedIn(set) })
}

// shareOf returns the weighted share of the question, if there returns how much of each
// word counts, 0 to 1.
func (q *question) shareOf(there func(w *word) float64) (share float64) {
	c := q.shareClass()
	for i := range q.words {
		if w := &q.words[i]; w.class == c {
			share += w.weight * there(w) / q.sums[c]
		}
	}
	return share
}

// addedShare returns the share of the question that u has and the chosen units do not.
func (q *question) addedShare(u unit, chosen []unit) float64 {
	return q.shareOf(func(w *word) float64 {
		quoted := 0.0
		for _, c := range chosen {
			quoted = max(quoted, w.containedIn(c.terms))
		}
		return max(0, w.containedIn(u.terms)-quoted)
	})
}

// Source names an article and its text, as the beginning of a sentence: « L’article 14 de
// la loi n° 2010-05 ». For a new wording it also names the article that introduces it.
func Source(p llm.Passage) string { return source(p, "") }

// source does what Source does. If the text's title is before, it writes « du même
// texte » instead. A new wording is named as an article of the amended text: « L’article
// 5 nouveau de la loi n° 2010-05, tel que remplacé par l’article 1er de la loi n°
// 2020-03, ».
func source(p llm.Passage, left string) string {
	name := articleName(p) + " " + OfText(owningTitle(p))
	if owningTitle(p) == left {
		name = articleName(p) + " du même texte"
	} else if p.Edition != "" {
		name += " (texte du " + p.Edition + ")"
	}
	switch {
	case p.New != nil:
		name += ", " + p.New.Verb + " l’article " + p.New.By + " " + OfText(withoutSubject(p.Title))
		if p.Assembled != nil {
			name += ", puis " + AmendedBy(*p.Assembled)
		}
		name += ","
	case p.Assembled != nil:
		name += ", " + AmendedBy(*p.Assembled) + ","
	case owningTitle(p) != left && subjectAfterComma(owningTitle(p)):
		name += ","
	}
	return name
}

// AmendedBy says which act made a wording, and that the service assembled it: « modifié par
// l’article 2 de la loi n° 2025-03 (texte consolidé par le service, sans valeur officielle) ».
func AmendedBy(a llm.Assembled) string {
	key := "un article"
	switch last := len(a.By) - 1; {
	case last == 0:
		key = "l’article " + a.By[0]
	case last > 0:
		key = "les articles " + strings.Join(a.By[:last], ", ") + " et " + a.By[last]
	}
	return "modifié par " + key + " " + OfText(withoutSubject(a.Title)) + " (" + law.AssembledNotice + ")"
}

// Marks returns the marks with which a passage is cited: its own, and those of the articles that
// made its wording.
func Marks(p llm.Passage) string {
	marks := fmt.Sprintf("[%d]", p.N)
	if p.Assembled != nil {
		for _, n := range p.Assembled.N {
			marks += fmt.Sprintf(" [%d]", n)
		}
	}
	return marks
}

// subjectAfterComma reports whether the subject of a title follows a comma: « la loi n°
// 5, portant code du sel ». Such a title needs a second comma before the verb.
func subjectAfterComma(title string) bool {
	words := strings.Fields(shorten(law.Title(title)))
	i := subjectStart(words)
	return i > 0 && strings.HasSuffix(words[i-1], ",")
}

// owningTitle returns the title of the text to which a passage's article belongs; for a new
// wording, the amended text.
func owningTitle(p llm.Passage) string {
	if p.New != nil {
		return p.New.Of
	}
	return p.Title
}

// articleName returns the name of a passage's article, with its article: « L’article 5 »,
// « Le préambule ».
func articleName(p llm.Passage) string {
	switch folded := law.Fold(p.Article); {
	case strings.HasPrefix(folded, "annexe"), strings.HasPrefix(folded, "article"):
		return "L’" + law.Small(p.Article)
	case p.New != nil && p.New.Part != "":
		return "L’article " + p.Article + " (" + p.New.Part + " nouveau)"
	case p.New != nil:
		return "L’article " + p.Article + " nouveau"
	case p.Article != "":
		return "L’article " + p.Article
	case strings.HasPrefix(law.Fold(p.Heading), "preambule"):
		return "Le préambule"
	}
	return "Le texte"
}

// titleLimit is the length in code points above which a title is shortened: about one line
// of print. The sources of an answer have the whole title.
const titleLimit = 80

// OfText returns the title of a text after « de »: « de la loi n° 2010-05 du 3 mai 2010
// portant … ».
func OfText(title string) string {
	short := shorten(law.Title(title))
	if owner, ok := law.OfTitle(short); ok {
		return owner
	}
	return "du texte « " + short + " »"
}

// shorten cuts a long title before its subject if a number or a date identifies what is
// left, or else between words.
func shorten(title string) string {
	if utf8.RuneCountInString(title) <= titleLimit {
		return title
	}
	if name := withoutSubject(title); name != title && strings.ContainsAny(name, "0123456789") {
		return name
	}
	cut := string([]rune(title)[:titleLimit])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

// withoutSubject returns a title without its subject, that is, up to « portant »,
// « relatif » and the like. It folds each word by itself: if a font writes accents as
// separate signs (« D¨ECRET »), the folded title may have more words than the title.
func withoutSubject(title string) string {
	words := strings.Fields(title)
	if i := subjectStart(words); i > 0 {
		return strings.TrimRight(strings.Join(words[:i], " "), " ,")
	}
	return title
}

// subjectStart returns the index of the word with which a title's subject begins, 0 if
// there is none.
func subjectStart(words []string) int {
	for i, word := range words {
		if i > 0 && i < len(words)-1 && subjectWords[law.Fold(word)] {
			return i
		}
	}
	return 0
}

// subjectWords are the words with which the subject of a title begins.
var subjectWords = map[string]bool{"portant": true, "relatif": true, "relative": true, "fixant": true, "modifiant": true, "instituant": true, "abrogeant": true}
