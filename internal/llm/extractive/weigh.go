package extractive

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/french"
	"vigueur/internal/llm"
	read "vigueur/internal/question"
)

// Weights of the score of a sentence.
const (
	headingWeight = 0.8  // of a word that is only in the headings, not in the sentence
	besideWeight  = 0.5  // in the previous or next sentence
	aroundWeight  = 0.35 // elsewhere in the article
	wholeWeight   = 0.8  // in either of these places, in an article that is quoted whole
	legalWeight   = 0.8  // of a legal synonym of a lay word
	earlierWeight = 0.3  // of a word of the previous question
	shapeWeight   = 0.3  // of a word that only indicates the kind of answer
	pairBonus     = 0.15 // if all neighboring words of the question are close together in the sentence
	figureBonus   = 0.3  // if a figure is asked for and the sentence has one of that kind
	anyBonus      = 0.05 // if it has a figure of another kind
	countedBonus  = 0.25 // if « combien de … » is asked and the sentence counts them
	composedBonus = 0.2  // if it also says that something consists of them
	listBonus     = 0.1  // of a list, if several things are asked for
	definedBonus  = 0.3  // if a definition is asked for and the sentence is one
	modalBonus    = 0.2  // if a permission or duty is asked for and the sentence gives or denies it
	nounBonus     = 0.2  // if the figure asked for follows the noun that asks for it
	firstBonus    = 0.05 // of the first sentence of an article
	topicBonus    = 0.2  // if the sentence begins with everything that is asked about
	specialMalus  = 0.15 // of a sentence about a case that the question does not mention
	mostAsked     = 0.6  // share of the question from which such a case is the one asked about
	penaltyBonus  = 0.4  // in addition to figureBonus, for a penalty if one is asked for
	foundBonus    = 1    // of an article that the search found by its name
	namedBonus    = 0.5  // of an article that the question names
	citesBonus    = 0.4  // of a sentence that refers to an article that the question names
	edgeMalus     = 0.35 // of something that is not an article
	longMalus     = 0.2  // of a unit of longUnit code points or more, compared with a short one
	shortUnit     = 300
	longUnit      = 1200
	searchWeight  = 0.8 // of the search's score, squared: articles of one section have similar scores
)

// question is the analyzed question with which sentences are compared.
type question struct {
	words   []word
	sum     float64 // sum of the words' weights
	wanted  french.Figures
	named   map[string]bool // terms of the articles that it names
	listed  bool            // it asks for a list or a procedure
	modal   bool            // it asks for a permission or a duty
	defined bool            // it asks for a definition
	several bool            // it asks for things by « quels … »
	bare    bool            // it only names or refers to something
	nouns   map[string]bool // the terms that ask for a figure: « durée », « âge », « taux »
	things  string          // the term of what it asks to count, "" for none
}

// word is a word of a question with its equivalents.
type word struct {
	weight float64
	forms  map[string]float64 // terms with their share of the word's weight
	legal  [][]string         // legal synonyms: all terms of one must occur
}

// defines matches sentences that define something.
var defines = regexp.MustCompile(`(?i)\bon entend par|\bs.entend\b|\bau sens d|\best dénommée?|\b(?:est|sont) considérée?s? comme|\bdésigne\b|^[^,;:]{3,90}\b(?:est|sont) (?:le |la |l.|les |une? |toute? |celui |celle |ceux )`)

// listing matches sentences that list things.
var listing = regexp.MustCompile(`: *(?:$|\n|[-–•]|\(?[\da-z]{1,2} *[°/.)-])|;`)

// composed matches sentences that say what something consists of.
var composed = regexp.MustCompile(`(?i)\b(?:compos|constitu|compren|form|compt)\pL* (?:au (?:moins|plus|maximum|minimum) |soit |de |d['’])`)

// rules matches sentences that permit, forbid or oblige.
var rules = regexp.MustCompile(`(?i)\b(peut|peuvent|doit|doivent|interdite?s?|interdiction|obligatoires?|tenue?s? de|autoris\pL+|en aucun cas|est nulle?|droit|prohibée?s?|soumise?s?|susceptibles?)\b`)

// question returns the significant words of a question with their weights: higher for words
// that are rare among the units. Names of countries select a text, not a sentence of it.
func (g *Generator) question(p llm.Prompt, all []unit) question {
	asked := p.Read()
	own := read.Words(p.Question)
	q := question{wanted: asked.Figures, named: make(map[string]bool), nouns: make(map[string]bool), things: asked.Counted,
		listed: asked.Kind.Has(read.Listed), modal: asked.Kind.Has(read.Modal), defined: asked.Kind.Has(read.Definition), several: asked.Kind.Has(read.Several)}
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
	q.add(g.Lexicon, own, 1, len(all), vocabulary, seen)
	q.bare = len(asked.Substance()) == 0
	if n := len(p.History); n > 0 {
		q.add(g.Lexicon, read.Words(p.History[n-1].Question), earlierWeight, len(all), vocabulary, seen)
	}
	return q
}

// add adds the words of a question, each once.
func (q *question) add(lexicon *french.Lexicon, terms []string, weight float64, units int, vocabulary map[string]int, seen map[string]bool) {
	matches := lexicon.Matches(terms)
	for i, t := range terms {
		if seen[t] {
			continue
		}
		seen[t] = true
		w := word{forms: alike(t, vocabulary)}
		for _, m := range matches {
			if m.Start <= i && i < m.End {
				w.legal = append(w.legal, m.Legal...)
			}
		}
		holders := 0.0
		for form, like := range w.forms {
			holders += like * like * float64(vocabulary[form])
		}
		if holders = max(holders, held(w.legal, vocabulary)); holders == 0 {
			continue
		}
		w.weight = weight * math.Log(1+float64(units)/math.Max(1, holders))
		if french.Shaping(t) || french.Measure(t) {
			w.weight *= shapeWeight
		}
		q.words = append(q.words, w)
		q.sum += w.weight
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

// carried is the share of the word that a set of terms contains.
func (w word) carried(terms map[string]bool) float64 {
	best := 0.0
	for form, like := range w.forms {
		if like > best && terms[form] {
			best = like
		}
	}
	for _, phrase := range w.legal {
		found := 0.0
		for _, t := range phrase {
			if terms[t] {
				found += 1 / float64(len(phrase))
			}
		}
		best = max(best, legalWeight*found*found)
	}
	return best
}

// surroundings is the context of the units of a passage.
type surroundings struct {
	headings map[string]bool // terms of the headings above it and of its text's title
	article  map[string]bool
	units    []unit
	whole    bool // the article is quoted whole
}

func around(p *llm.Passage, all []unit) surroundings {
	s := surroundings{headings: make(map[string]bool), article: make(map[string]bool)}
	for _, u := range all {
		if u.passage == p {
			s.units = append(s.units, u)
			for t := range u.terms {
				s.article[t] = true
			}
		}
	}
	s.whole = len(s.units) > 0 && quotable(s.units)
	for _, h := range append(p.Path[:len(p.Path):len(p.Path)], p.Heading, p.Title) {
		for _, t := range french.Terms(h) {
			s.headings[t] = true
		}
	}
	return s
}

// carries is the share of a word that a unit contains, including its context.
func (s surroundings) carries(w word, u unit) float64 {
	around := aroundWeight
	if s.whole {
		around = wholeWeight
	}
	best := max(w.carried(u.terms), headingWeight*w.carried(s.headings), around*w.carried(s.article))
	for _, at := range []int{u.at - 1, u.at + 1} {
		if at >= 0 && at < len(s.units) {
			best = max(best, besideWeight*w.carried(s.units[at].terms))
		}
	}
	return best
}

// score scores a unit: by the share of the question that it and its context contain,
// somewhat less in a passage with a lower search score.
func (q question) score(u unit, s surroundings, best float64) float64 {
	score := 0.0
	for _, w := range q.words {
		score += w.weight * s.carries(w, u) / q.sum
	}
	score += pairBonus*q.pairs(u) + topicBonus*q.topic(u) - specialMalus*q.special(u)
	switch {
	case q.wanted&u.figures&french.Penalty != 0:
		score += figureBonus + penaltyBonus
	case q.wanted&u.figures != 0:
		score += figureBonus
	case q.wanted != 0 && u.figures != 0:
		score += anyBonus
	}
	if q.things != "" && counts(u.order, q.things) {
		score += countedBonus
		if composed.MatchString(u.text) {
			score += composedBonus
		}
	}
	if q.several && listing.MatchString(u.text) {
		score += listBonus
	}
	if q.wanted&u.figures != 0 && q.said(u.order) {
		score += nounBonus
	}
	if q.wanted&u.figures&french.Years != 0 && ages.MatchString(u.text) {
		score += nounBonus
	}
	if q.defined && defines.MatchString(u.text) {
		score += definedBonus * min(1, 2*q.topic(u))
	}
	if q.modal && q.wanted == 0 && rules.MatchString(u.text) {
		score += modalBonus
	}
	if u.at == 0 {
		score += firstBonus
	}
	switch {
	case u.passage.Named:
		score += foundBonus
	case q.named[u.article], u.quoted != "" && q.named[french.ArticleTerm(u.quoted)]:
		score += namedBonus
	case slices.ContainsFunc(u.cites, func(a string) bool { return q.named[a] }):
		score += citesBonus
	}
	if u.passage.Article == "" {
		score -= edgeMalus
	}
	long := float64(utf8.RuneCountInString(u.text)-shortUnit) / (longUnit - shortUnit)
	score -= longMalus * max(0, min(1, long))
	if best > 0 {
		share := min(1, u.passage.Score/best)
		score *= 1 - searchWeight + searchWeight*share*share
	}
	return score
}

// counts reports whether a number stands right before a term, or one word before it.
func counts(order []string, thing string) bool {
	for i, t := range order {
		if t != thing {
			continue
		}
		for _, before := range order[max(0, i-2):i] {
			if before[0] >= '0' && before[0] <= '9' {
				return true
			}
		}
	}
	return false
}

// figureNouns are the terms of nouns that are followed by a figure.
var figureNouns = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range french.Terms("âge taux montant capital prix tarif plafond délai durée") {
		m[t] = true
	}
	return m
}()

// ages matches how laws state an age: « avant l’âge de quinze ans », « dix-huit ans révolus
// ».
var ages = regexp.MustCompile(`(?i)l.âge de |révolus?|ayant atteint`)

// said reports whether a number closely follows a noun that the question asks with: « la
// durée du préavis est de trois mois ».
func (q question) said(order []string) bool {
	const behind = 5
	for i, t := range order {
		if !q.nouns[t] {
			continue
		}
		for _, next := range order[i+1 : min(len(order), i+1+behind)] {
			if next[0] >= '0' && next[0] <= '9' {
				return true
			}
		}
	}
	return false
}

// topic is the share of the question in the first words of a sentence: a law begins a rule
// with its subject.
func (q question) topic(u unit) float64 {
	const subject = 3
	terms := french.Terms(opening.ReplaceAllString(quotedNumber.ReplaceAllString(strings.Join(strings.Fields(u.text), " "), ""), ""))
	return q.share(terms[:min(subject, len(terms))])
}

// opening matches what precedes the subject of a sentence: its number, and conditions or
// reservations.
var opening = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:(?i:sauf|sous|dans|en|à|a|au|aux|pour|par|si|lorsqu\pL*|toutefois|nonobstant|outre|indépendamment|sans|pendant|après|avant|lors|conformément)[ '’][^,]*,)?`)

// cases matches the beginning of a sentence about a special case.
var cases = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:Si |S['’]ils? |Lorsqu|En cas d|Toutefois|Cependant|Néanmoins|Dans (?:le|ce|les|ces) cas|Au cas où|[AÀ] titre exceptionnel|Exceptionnellement|Par dérogation|Par exception)[^,]*`)

// special is the share of a sentence's special case that the question does not mention. A
// case that contains most of the question, while the rule after it does not, is the one
// asked about, however many words describe it.
func (q question) special(u unit) float64 {
	end := len(cases.FindString(u.text))
	terms := french.Terms(u.text[:end])
	if len(terms) == 0 {
		return 0
	}
	untold := 0
	for _, t := range terms {
		of := map[string]bool{t: true}
		if !slices.ContainsFunc(q.words, func(w word) bool { return w.carried(of) > 0 }) {
			untold++
		}
	}
	asked := q.share(terms) - q.share(french.Terms(u.text[end:]))
	return float64(untold) / float64(len(terms)) * min(1, max(0, 1-asked/mostAsked))
}

// share is the share of the question that some terms contain.
func (q question) share(terms []string) (share float64) {
	of := make(map[string]bool, len(terms))
	for _, t := range terms {
		of[t] = true
	}
	for _, w := range q.words {
		share += w.weight * w.carried(of) / q.sum
	}
	return share
}

// pairs is the share of the question's pairs of neighboring words that are close together
// in the unit.
func (q question) pairs(u unit) float64 {
	if len(q.words) < 2 {
		return 0
	}
	const nearby = 3
	found := 0.0
	for i := range q.words[1:] {
		if q.words[i].near(q.words[i+1], u.order, nearby) {
			found++
		}
	}
	return found / float64(len(q.words)-1)
}

// near reports whether forms of two words are within a few terms of each other.
func (w word) near(v word, order []string, nearby int) bool {
	for i, t := range order {
		if w.forms[t] == 0 {
			continue
		}
		for _, other := range order[max(0, i-nearby):min(len(order), i+nearby+1)] {
			if v.forms[other] > 0 {
				return true
			}
		}
	}
	return false
}

// adds is the share of the question that u contains by itself and none of the chosen units
// does.
func (q question) adds(u unit, chosen []unit) (added float64) {
	for _, w := range q.words {
		said := 0.0
		for _, c := range chosen {
			said = max(said, w.carried(c.terms))
		}
		added += w.weight * max(0, w.carried(u.terms)-said) / q.sum
	}
	return added
}
