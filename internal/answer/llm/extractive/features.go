package extractive

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
)

// Features are what is known of one sentence beside the others of its article, for one question. What does
// not apply is 0.
type Features [featureCount]float64

// The features. Shares are of the question's words, each as much as it is rare, 0 to 1.
const (
	fOwn          = iota // share that the sentence has
	fLegal               // … that only legal synonyms in it have
	fHeadings            // … that only the headings above it or its text's title have
	fBeside              // … that only the sentence before or after has
	fAround              // … that only the rest of the article has
	fWhole               // fBeside and fAround, of an article that is quoted whole
	fNear                // … whose meaning is near to a word of the sentence, as far as nothing of the above
	fShaping             // share of the words that only indicate the kind of answer
	fEarlier             // share of the words of the previous question
	fPairs               // share of the question's pairs of neighboring words that are close together in it
	fTopic               // share in the first words of it
	fCase                // it begins with a special case
	fUntold              // share of this case that the question does not mention
	fCaseAsked           // how much more of the question the case has than the rule
	fFigure              // a figure is asked for and it has one of that kind
	fOther               // it has a figure of another kind
	fNoun                // the figure asked for follows the noun that asks for it
	fCounted             // « combien de … » is asked and it counts them
	fDefines             // a definition is asked for and it is one
	fDefined             // … of what is asked about: fTopic
	fRules               // a permission or duty is asked for and it gives or denies it
	fFirst               // it is the first of its article
	fPlace               // ln of 1 and its place in the article
	fBack                // it is meaningless without the previous one
	fReserve             // it limits the previous one
	fItem                // it is an item of a list too long to be quoted whole
	fArticleNamed        // the question names its article
	fCites               // it refers to an article that the question names
	fBlank               // it has places to be filled in
	fLong                // ln of its length over 100 code points
	fVery                // how far it is longer than 300 code points, in thousands, at most 1
	fCosine              // likeness in meaning to the question
	fCosineGap           // less the greatest of its article
	featureCount
)

var featureNames = [featureCount]string{
	"own", "legal", "headings", "beside", "around", "whole", "near", "shaping", "earlier", "pairs", "topic", "case", "untold",
	"case_asked", "figure", "other_figure", "figure_after_noun", "counted", "defines",
	"defined", "rules", "first", "place", "points_back", "reserve", "item", "article_named", "cites",
	"blank", "long", "very_long", "cosine", "cosine_gap",
}

// encoder is the program's own encoder: a program that carries none is broken.
var encoder = sync.OnceValue(func() *encode.Encoder {
	e, err := encode.Builtin()
	if err != nil {
		panic(err)
	}
	return e
})

// surroundings is the context of the units of a passage.
type surroundings struct {
	headings map[string]bool // terms of the headings above it and of its text's title
	article  map[string]bool
	units    []unit
	whole    bool    // the article is quoted whole
	cosine   float64 // the greatest of its units with the question
}

// around describes the passage of some units.
func around(p *llm.Passage, of []unit) surroundings {
	s := surroundings{headings: make(map[string]bool), article: make(map[string]bool), units: of, cosine: -1}
	for _, u := range of {
		for t := range u.terms {
			s.article[t] = true
		}
		s.cosine = max(s.cosine, u.cosine)
	}
	s.whole = len(of) > 0 && quotable(of)
	for _, h := range append(p.Path[:len(p.Path):len(p.Path)], p.Heading, p.Title) {
		for _, t := range french.Terms(h) {
			s.headings[t] = true
		}
	}
	return s
}

// features returns those of a unit.
func (q *question) features(u unit, s *surroundings) (f Features) {
	q.cover(u, s, &f)
	f[fPairs], f[fTopic] = q.pairs(u), q.topic(u)
	f[fUntold], f[fCaseAsked] = q.special(u)
	f[fCase] = one(cases.MatchString(u.text))
	q.figured(u, &f)
	if q.defined && defines.MatchString(u.text) {
		f[fDefines], f[fDefined] = 1, f[fTopic]
	}
	f[fRules] = one(q.modal && q.wanted == 0 && rules.MatchString(u.text))
	f[fFirst], f[fPlace] = one(u.at == 0), math.Log1p(float64(u.at))
	f[fBack], f[fReserve], f[fItem] = one(pointsBack.MatchString(u.text)), one(reserves.MatchString(u.text)), one(u.lead != nil)
	f[fArticleNamed] = one(q.named[u.article] || u.quoted != "" && q.named[french.ArticleTerm(u.quoted)])
	f[fCites] = one(slices.ContainsFunc(u.cites, func(a string) bool { return q.named[a] }))
	f[fBlank] = one(blank(u.text))
	length := float64(utf8.RuneCountInString(u.text))
	f[fLong], f[fVery] = math.Log(max(1, length)/100), max(0, min(1, (length-300)/1000))
	f[fCosine], f[fCosineGap] = u.cosine, u.cosine-s.cosine
	return f
}

// cover sets how much of the question a unit and its context have, each place as far as
// those before it do not.
func (q *question) cover(u unit, s *surroundings, f *Features) {
	counting := q.counting()
	for i := range q.words {
		w := &q.words[i]
		share := w.weight / q.sums[w.class]
		own := w.plain(u.terms)
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
		add := func(to int, there float64) {
			f[to] += share * max(0, there-had)
			had = max(had, there)
		}
		add(fLegal, w.translated(u.terms))
		add(fHeadings, w.carried(s.headings))
		before := f[fBeside] + f[fAround]
		for _, at := range []int{u.at - 1, u.at + 1} {
			if at >= 0 && at < len(s.units) {
				add(fBeside, w.carried(s.units[at].terms))
			}
		}
		add(fAround, w.carried(s.article))
		if s.whole {
			f[fWhole] += f[fBeside] + f[fAround] - before
		}
		if had < 1 {
			add(fNear, encoder().Nearest(w.term, u.order))
		}
	}
}

// figured sets what has to do with the figures that are asked for.
func (q *question) figured(u unit, f *Features) {
	has := q.wanted&u.figures != 0
	f[fFigure] = one(has)
	f[fOther] = one(q.wanted != 0 && u.figures != 0 && !has)
	f[fNoun] = one(has && q.said(u.order))
	f[fCounted] = one(q.things != "" && counts(u.order, q.things))
}

// blank reports whether a text has places to be filled in, as forms do.
func blank(text string) bool {
	return strings.Contains(text, "....") || strings.Contains(text, "…….") || strings.Contains(text, "……") || strings.Contains(text, "___")
}

// cosine is the likeness in meaning of the question and a text, 0 if either has none.
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

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
