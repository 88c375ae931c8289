package extractive

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
)

// Features are the features of one sentence of an article for one question. A feature
// that does not apply is 0.
type Features [featureCount]float64

// The features; « it » is the sentence. A share is a fraction of the question's words,
// weighted by rarity, from 0 to 1. The features from fOwn to fNear except fWhole are in
// order: each counts only words that the features before it do not count.
const (
	fOwn          = iota // share that the sentence has
	fLegal               // share that it has by legal synonyms
	fHeadings            // share that the headings or the title of the text have
	fBeside              // share that the previous or the next sentence has
	fAround              // share that the rest of the article has
	fWhole               // fBeside plus fAround, if the article is quoted whole
	fNear                // share whose meaning is near to a word of the sentence
	fShaping             // share of the words that only indicate the kind of answer
	fEarlier             // share of the words of the previous question
	fPairs               // share of the pairs of neighboring words that are close together in the sentence
	fTopic               // share that its first words have
	fCase                // it begins with a special case
	fUntold              // share of this case's words that the question does not have
	fCaseAsked           // how much more of the question the case has than the rest of the sentence
	fFigure              // a figure is asked for, and it has one of that kind
	fOther               // a figure is asked for, and it has only figures of other kinds
	fNoun                // the figure asked for follows the noun that asks for it
	fCounted             // « combien de … » is asked, and it gives the number of these things
	fDefines             // a definition is asked for, and it defines something
	fDefined             // a definition is asked for, it defines something, and its first words have this share of the question
	fRules               // a permission or duty is asked for, and it permits, forbids or obliges
	fFirst               // it is the first of its article
	fPlace               // ln(1 + its index in the article)
	fBack                // it is meaningless without the previous sentence
	fReserve             // it limits the previous sentence
	fItem                // it is an item of a list too long to be quoted whole
	fArticleNamed        // the question names its article
	fCites               // it cites an article that the question names
	fBlank               // it has blanks to fill in
	fLong                // ln(code points / 100)
	fVery                // code points over 300, in thousands, at most 1
	fCosine              // cosine of its vector and the question's
	fCosineGap           // fCosine minus the greatest fCosine of its article
	featureCount
)

var featureNames = [featureCount]string{
	"own", "legal", "headings", "beside", "around", "whole", "near", "shaping", "earlier", "pairs", "topic", "case", "untold",
	"case_asked", "figure", "other_figure", "figure_after_noun", "counted", "defines",
	"defined", "rules", "first", "place", "points_back", "reserve", "item", "article_named", "cites",
	"blank", "long", "very_long", "cosine", "cosine_gap",
}

// encoder returns the embedded encoder. It panics if there is none, because the program
// is then broken.
var encoder = sync.OnceValue(func() *encode.Encoder {
	e, err := encode.Builtin()
	if err != nil {
		panic(err)
	}
	return e
})

// surroundings is the context of the units of a passage.
type surroundings struct {
	headings map[string]bool // terms of its headings and of the title of its text
	article  map[string]bool // terms of the article
	units    []unit
	whole    bool    // the article is short enough to be quoted whole
	cosine   float64 // greatest cosine of its units with the question
}

// surroundingsOf returns the context of the units of a passage.
func surroundingsOf(p *llm.Passage, all []unit) surroundings {
	s := surroundings{headings: make(map[string]bool), article: make(map[string]bool), units: all, cosine: -1}
	for _, u := range all {
		for t := range u.terms {
			s.article[t] = true
		}
		s.cosine = max(s.cosine, u.cosine)
	}
	s.whole = len(all) > 0 && quotable(all)
	for _, h := range append(p.Path[:len(p.Path):len(p.Path)], p.Heading, p.Title) {
		for _, t := range french.Terms(h) {
			s.headings[t] = true
		}
	}
	return s
}

func (q *question) features(u unit, s *surroundings) (f Features) {
	q.shareFeatures(u, s, &f)
	f[fPairs], f[fTopic] = q.pairs(u), q.topic(u)
	f[fUntold], f[fCaseAsked] = q.compareCase(u)
	f[fCase] = indicator(specialCase.MatchString(u.text))
	q.figureFeatures(u, &f)
	if q.defined && defines.MatchString(u.text) {
		f[fDefines], f[fDefined] = 1, f[fTopic]
	}
	f[fRules] = indicator(q.modal && q.wanted == 0 && rules.MatchString(u.text))
	f[fFirst], f[fPlace] = indicator(u.at == 0), math.Log1p(float64(u.at))
	f[fBack], f[fReserve], f[fItem] = indicator(pointsBack.MatchString(u.text)), indicator(reserves.MatchString(u.text)), indicator(u.introduction != nil)
	f[fArticleNamed] = indicator(q.named[u.article] || u.quoted != "" && q.named[french.ArticleTerm(u.quoted)])
	f[fCites] = indicator(slices.ContainsFunc(u.cites, func(a string) bool { return q.named[a] }))
	f[fBlank] = indicator(hasBlanks(u.text))
	length := float64(utf8.RuneCountInString(u.text))
	f[fLong], f[fVery] = math.Log(max(1, length)/100), max(0, min(1, (length-300)/1000))
	f[fCosine], f[fCosineGap] = u.cosine, u.cosine-s.cosine
	return f
}

// shareFeatures sets the shares of the question that the unit and its context have. Each
// place (sentence, headings, neighbors, …) counts only what the places before it do not
// have.
func (q *question) shareFeatures(u unit, s *surroundings, f *Features) {
	counting := q.shareClass()
	for i := range q.words {
		w := &q.words[i]
		share := w.weight / q.sums[w.class]
		own := w.similarity(u.terms)
		switch {
		case w.class == counting:
			f[fOwn] += share * own
		case w.class == shaping:
			f[fShaping] += share * own
			continue
		default:
			f[fEarlier] += share * own
			continue
		}
		had := own
		// addUpTo adds to a feature how much of the word a place has beyond the places
		// before it.
		addUpTo := func(end int, there float64) {
			f[end] += share * max(0, there-had)
			had = max(had, there)
		}
		addUpTo(fLegal, w.legalShare(u.terms))
		addUpTo(fHeadings, w.containedIn(s.headings))
		previous := f[fBeside] + f[fAround]
		for _, pos := range []int{u.at - 1, u.at + 1} {
			if pos >= 0 && pos < len(s.units) {
				addUpTo(fBeside, w.containedIn(s.units[pos].terms))
			}
		}
		addUpTo(fAround, w.containedIn(s.article))
		if s.whole {
			f[fWhole] += f[fBeside] + f[fAround] - previous
		}
		if had < 1 {
			addUpTo(fNear, encoder().Nearest(w.term, u.order))
		}
	}
}

// figureFeatures sets the features for the figures that are asked for.
func (q *question) figureFeatures(u unit, f *Features) {
	has := q.wanted&u.figures != 0
	f[fFigure] = indicator(has)
	f[fOther] = indicator(q.wanted != 0 && u.figures != 0 && !has)
	f[fNoun] = indicator(has && q.figureFollowsNoun(u.order))
	f[fCounted] = indicator(q.things != "" && counts(u.order, q.things))
}

// hasBlanks reports whether a text has blanks to fill in, as forms do.
func hasBlanks(text string) bool {
	return strings.Contains(text, "....") || strings.Contains(text, "…….") || strings.Contains(text, "……") || strings.Contains(text, "___")
}

// cosine returns the cosine of the vectors of the question and of a text, 0 if either has
// none.
func (q *question) cosine(text string) (sum float64) {
	v, ok := encoder().Encode(text)
	if !ok || q.vector == nil {
		return 0
	}
	for i, x := range q.vector {
		sum += float64(x * v[i])
	}
	return sum
}

// indicator returns 1 if condition, else 0.
func indicator(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

// defines matches sentences that define something.
var defines = regexp.MustCompile(`(?i)\bon entend par|\bs.entend\b|\bau sens d|\best dénommée?|\b(?:est|sont) considérée?s? comme|\bdésigne\b|^[^,;:]{3,90}\b(?:est|sont) (?:le |la |l.|les |une? |toute? |celui |celle |ceux )`)

// rules matches sentences that permit, forbid or oblige.
var rules = regexp.MustCompile(`(?i)\b(peut|peuvent|doit|doivent|interdite?s?|interdiction|obligatoires?|tenue?s? de|autoris\pL+|en aucun cas|est nulle?|droit|prohibée?s?|soumise?s?|susceptibles?)\b`)

// figureNouns are the terms of nouns that a figure often follows.
var figureNouns = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range french.Terms("âge taux montant capital prix tarif plafond délai durée") {
		m[t] = true
	}
	return m
}()

// counts reports whether a number precedes thing, directly or with one term between them.
func counts(order []string, thing string) bool {
	for i, t := range order {
		if t == thing && slices.ContainsFunc(order[max(0, i-2):i], numeral) {
			return true
		}
	}
	return false
}

func numeral(term string) bool { return term[0] >= '0' && term[0] <= '9' }

// figureFollowsNoun reports whether a number follows a noun by which the question asks
// for a figure: « la durée du préavis est de trois mois ». At most four terms may be
// between them, such as the noun's complements and the verb; stop words are not counted.
func (q *question) figureFollowsNoun(order []string) bool {
	const window = 5
	for i, t := range order {
		if q.nouns[t] && slices.ContainsFunc(order[i+1:min(len(order), i+1+window)], numeral) {
			return true
		}
	}
	return false
}

// topic returns the share of the question that the first terms of a sentence have. A
// legal rule begins with its subject, which is a noun with up to two complements.
func (q *question) topic(u unit) float64 {
	const subject = 3
	terms := french.Terms(opening.ReplaceAllString(quotedNumber.ReplaceAllString(strings.Join(strings.Fields(u.text), " "), ""), ""))
	return q.share(terms[:min(subject, len(terms))])
}

// opening matches what precedes the subject of a sentence: its number, and a condition or
// reservation.
var opening = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:(?i:sauf|sous|dans|en|à|a|au|aux|pour|par|si|lorsqu\pL*|toutefois|nonobstant|outre|indépendamment|sans|pendant|après|avant|lors|conformément)[ '’][^,]*,)?`)

// specialCase matches the beginning of a sentence about a special case.
var specialCase = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:Si |S['’]ils? |Lorsqu|En cas d|Toutefois|Cependant|Néanmoins|Dans (?:le|ce|les|ces) cas|Au cas où|[AÀ] titre exceptionnel|Exceptionnellement|Par dérogation|Par exception)[^,]*`)

// compareCase compares the special case that a sentence begins with to the question. untold
// is the share of the case's terms that the question does not have; asked is how much
// more of the question the case has than the rest of the sentence. Both are 0 if there is
// no such case.
func (q *question) compareCase(u unit) (untold, asked float64) {
	end := len(specialCase.FindString(u.text))
	terms := french.Terms(u.text[:end])
	if len(terms) == 0 {
		return 0, 0
	}
	for _, t := range terms {
		set := map[string]bool{t: true}
		if !slices.ContainsFunc(q.words, func(w word) bool { return w.containedIn(set) > 0 }) {
			untold++
		}
	}
	return untold / float64(len(terms)), max(0, q.share(terms)-q.share(french.Terms(u.text[end:])))
}

// pairs returns the share of the question's pairs of neighboring words that are close
// together in the unit.
func (q *question) pairs(u unit) float64 {
	if len(q.words) < 2 {
		return 0
	}
	found := 0.0
	for i := range q.words[1:] {
		if q.words[i].near(&q.words[i+1], u.order) {
			found++
		}
	}
	return found / float64(len(q.words)-1)
}

// near reports whether forms of two words are close together, with at most two other
// terms between them: « préavis légal de la rupture » has the adjective between.
func (w *word) near(v *word, order []string) bool {
	const nearby = 3
	for i, t := range order {
		if w.forms[t] > 0 && slices.ContainsFunc(order[max(0, i-nearby):min(len(order), i+nearby+1)], func(other string) bool { return v.forms[other] > 0 }) {
			return true
		}
	}
	return false
}

// reserves matches sentences that limit the previous one.
var reserves = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Par dérogation|Par exception|Nonobstant|Sauf|Il cesse|Ils cessent|Elle cesse|(Les|Ces) dispositions (ci-dessus |de l.alinéa précédent |précédentes )?ne s.appliquent pas)`)

// exception matches sentences that make an exception.
var exception = regexp.MustCompile(`(?i)(dérog|exception|nonobstant|toutefois|sauf|ne s.appliquent? pas|hormis)`)

// pointsBack matches sentences that are meaningless without the previous one.
var pointsBack = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Il |Elle |Ils |Elles |Ce |Cet |Cette |Ces |Celui-ci|Celle-ci|En cas de récidive|Le même )`)

// hasDotLeaders reports whether a text has dot leaders, as the lines of a table of
// contents do.
func hasDotLeaders(text string) bool { return strings.Contains(text, ".....") }
