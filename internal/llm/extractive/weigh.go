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

// How the sentences are weighed.
const (
	headingWeight = 0.8  // of a word that stands in the headings and not in the sentence
	besideWeight  = 0.5  // in the sentence before or after
	aroundWeight  = 0.35 // elsewhere in the article
	wholeWeight   = 0.8  // in either of these places, of an article that is quoted whole
	legalWeight   = 0.8  // of the law's word for a lay one
	earlierWeight = 0.3  // of a word of the question before
	shapeWeight   = 0.3  // of a word that only says what kind of answer is asked for
	pairBonus     = 0.15 // when all neighbors of the question are neighbors in the sentence
	figureBonus   = 0.3  // when a figure of that kind is asked for and the sentence has one
	anyBonus      = 0.05 // when it has a figure of another kind
	countedBonus  = 0.25 // when « combien de … » is asked and the sentence counts them
	composedBonus = 0.2  // and says that something is made up of them
	listBonus     = 0.1  // of a list when several things are asked for
	definedBonus  = 0.3  // when a definition is asked for and the sentence gives one
	modalBonus    = 0.2  // when leave or duty is asked for and the sentence gives or denies it
	nounBonus     = 0.2  // when the figure asked for stands behind the noun that asks for it
	firstBonus    = 0.05 // of the sentence that an article begins with
	topicBonus    = 0.2  // when the sentence begins with all that is asked about
	specialMalus  = 0.15 // of a sentence about a case that the question does not tell of
	mostAsked     = 0.6  // of the question that such a case has when it is the one asked about
	penaltyBonus  = 0.4  // beside figureBonus, of what follows on a breach, where that is asked
	foundBonus    = 1    // of an article that the search found by its name
	namedBonus    = 0.5  // of an article that the question names
	citesBonus    = 0.4  // of a sentence that speaks of an article that the question names
	edgeMalus     = 0.35 // of what is no article
	longMalus     = 0.2  // of a unit of longUnit code points or more, over a short one
	shortUnit     = 300
	longUnit      = 1200
	searchWeight  = 0.8 // of the search's score, squared: articles of one section have scores close together
)

// question is what the sentences are weighed against.
type question struct {
	words   []word
	sum     float64 // of the words' weights
	wanted  french.Figures
	named   map[string]bool // the articles it names, by their terms
	listed  bool            // a list or a procedure is asked for
	modal   bool            // leave or duty is asked for
	defined bool            // a definition is asked for
	several bool            // things are asked for by « quels … »
	bare    bool            // it does nothing but name or point at something
	nouns   map[string]bool // the terms that ask for a figure: « durée », « âge », « taux »
	things  string          // the term of what is to be counted, "" when nothing is
}

// word is one of a question, with what may stand for it.
type word struct {
	weight float64
	forms  map[string]float64 // terms, and how much of the word each carries
	legal  [][]string         // the law's own words for it, all of one of which carry it
}

// defines finds the sentences that say what something is.
var defines = regexp.MustCompile(`(?i)\bon entend par|\bs.entend\b|\bau sens d|\best dénommée?|\b(?:est|sont) considérée?s? comme|\bdésigne\b|^[^,;:]{3,90}\b(?:est|sont) (?:le |la |l.|les |une? |toute? |celui |celle |ceux )`)

// listing finds the sentences that list things.
var listing = regexp.MustCompile(`: *(?:$|\n|[-–•]|\(?[\da-z]{1,2} *[°/.)-])|;`)

// composed finds the sentences that say what something is made up of.
var composed = regexp.MustCompile(`(?i)\b(?:compos|constitu|compren|form|compt)\pL* (?:au (?:moins|plus|maximum|minimum) |soit |de |d['’])`)

// rules finds the sentences that give or deny leave, or oblige.
var rules = regexp.MustCompile(`(?i)\b(peut|peuvent|doit|doivent|interdite?s?|interdiction|obligatoires?|tenue?s? de|autoris\pL+|en aucun cas|est nulle?|droit|prohibée?s?|soumise?s?|susceptibles?)\b`)

// question gives the words that count, each with its weight: the rarer among the
// sentences at hand, the more. Names of countries tell which text is meant, not
// which of its sentences.
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

// add takes the words of a question in, each once.
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

// held is how many units can have the commonest of some phrases: those that have
// its rarest term.
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

// alike gives the terms that resemble t, with how much; t itself with 1.
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

// carried is how much of the word a set of terms has.
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

// surroundings are what stands around the units of a passage.
type surroundings struct {
	headings map[string]bool // above it, and its text's title
	article  map[string]bool
	units    []unit
	whole    bool // what is quoted of the article is quoted with all the rest
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

// carries is how much of a word a unit carries where it stands.
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

// score weighs a unit: the share of the question that it carries, by itself and
// by what stands around it, somewhat less in a passage that the search found
// less good.
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

// counts tells whether a number stands right before a term, or a word before it.
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

// figureNouns are the terms of nouns that a figure follows.
var figureNouns = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range french.Terms("âge taux montant capital prix tarif plafond délai durée") {
		m[t] = true
	}
	return m
}()

// ages finds how laws set an age: « avant l’âge de quinze ans », « dix-huit ans révolus ».
var ages = regexp.MustCompile(`(?i)l.âge de |révolus?|ayant atteint`)

// said tells whether a number stands a little behind a noun that the question
// asks with: « la durée du préavis est de trois mois ».
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

// topic is the share of the question that the first words of a sentence carry: a
// law says first what a rule is about.
func (q question) topic(u unit) float64 {
	const subject = 3
	terms := french.Terms(opening.ReplaceAllString(quotedNumber.ReplaceAllString(strings.Join(strings.Fields(u.text), " "), ""), ""))
	return q.share(terms[:min(subject, len(terms))])
}

// opening finds what stands before the subject of a sentence: its number, and what
// it reserves or supposes.
var opening = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:(?i:sauf|sous|dans|en|à|a|au|aux|pour|par|si|lorsqu\pL*|toutefois|nonobstant|outre|indépendamment|sans|pendant|après|avant|lors|conformément)[ '’][^,]*,)?`)

// cases finds what a sentence begins with that rules a case of its own.
var cases = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:Si |S['’]ils? |Lorsqu|En cas d|Toutefois|Cependant|Néanmoins|Dans (?:le|ce|les|ces) cas|Au cas où|[AÀ] titre exceptionnel|Exceptionnellement|Par dérogation|Par exception)[^,]*`)

// special is how much of the case that a sentence begins with the question does
// not tell of. A case that has most of what is asked, where the rule behind it has
// not, is the one asked about, however many words the law takes to tell it.
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

// share is the share of the question that some terms carry.
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

// pairs is the share of the question's neighboring words that stand close
// together in the unit.
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

// near tells whether forms of two words stand within a few terms.
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

// adds is the share of the question that u carries by itself and none of the
// chosen does.
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
