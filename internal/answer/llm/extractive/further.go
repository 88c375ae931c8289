package extractive

import (
	"math"
	"slices"
	"unicode/utf8"
)

// Offer is a sentence that may be quoted beside others of its article, with what is known of
// it and them.
type Offer struct {
	Sentence
	Features []float64 // by OfferNames
	unit     unit
}

// The features of an offer. « The best » is the best sentence of its article.
const (
	oBias   = iota
	oGap    // its score less that of the best
	oLikely // ln of its share in Σ e^score of the article
	oFirst  // it is the first of the article
	oNext   // it directly follows a quoted one
	oBack   // … and is meaningless without it
	oAdds   // share of the question that it has and no quoted one
	oFigure // it has the figure that is asked for, and no quoted one has one
	oQuoted // ln of how many are quoted
	oLong   // ln of its length over 100 code points
	offerCount
)

var offerNames = [offerCount]string{"bias", "gap", "likely", "first", "next", "points_back", "adds", "figure", "quoted", "long"}

// steps quotes the rule and then what next takes of the other sentences of its article,
// until it takes none or nothing is left to be offered. It returns what is quoted.
func (q *question) steps(all []unit, next func(quoted []unit, offers []Offer) int) []unit {
	article := ranked(of(all, all[0].passage))
	best, chosen := rule(article)
	total := 0.0 // Σ e^score of the article, over that of the best
	for _, u := range article {
		total += math.Exp(u.score - best.score)
	}
	for {
		var offers []Offer
		for _, u := range article {
			if !slices.ContainsFunc(chosen, u.same) {
				offers = append(offers, q.offer(u, chosen, best, total))
			}
		}
		if len(offers) == 0 {
			return chosen
		}
		i := next(chosen, offers)
		if i < 0 {
			return chosen
		}
		chosen = append(chosen, offers[i].unit)
	}
}

// offer describes a unit beside those that are chosen.
func (q *question) offer(u unit, chosen []unit, best unit, total float64) Offer {
	f := make([]float64, offerCount)
	gap := u.score - best.score
	f[oBias], f[oGap], f[oLikely] = 1, gap, gap-math.Log(total)
	f[oFirst], f[oAdds] = one(u.at == 0), q.adds(u, chosen)
	if slices.ContainsFunc(chosen, func(c unit) bool { return c.at+1 == u.at }) {
		f[oNext], f[oBack] = 1, one(pointsBack.MatchString(u.text))
	}
	lacking := !slices.ContainsFunc(chosen, func(c unit) bool { return q.wanted&c.figures != 0 })
	f[oFigure] = one(q.wanted&u.figures != 0 && lacking)
	f[oQuoted] = math.Log(float64(len(chosen)))
	f[oLong] = math.Log(max(1, float64(utf8.RuneCountInString(u.text))) / 100)
	return Offer{Sentence: u.sentence(), Features: f, unit: u}
}

// pick takes the rule and, one after the other, the sentence of its article that most
// likely says something more that is asked, as long as it is worth reading: as likely as
// one of all that may be quoted. Sentences of other articles follow if a rule of the law
// joins them to the best.
func (q *question) pick(all []unit, further []float64) []unit {
	limit := most
	if q.listed {
		limit = mostListed
	}
	worth := -math.Log(float64(limit - 1)) // the log odds of 1 in limit
	chosen := q.steps(all, func(quoted []unit, offers []Offer) int {
		best, at := worth, -1
		for i := range offers {
			if odds := sum(further, offers[i].Features); len(quoted) < limit && (odds > best || odds == best && at < 0) {
				best, at = odds, i
			}
		}
		return at
	})
	joined := q.related(chosen[0], all)
	return append(chosen, joined[:min(len(joined), max(1, limit-len(chosen)))]...)
}

// related are sentences of other articles, one of each, that the law itself joins to the
// best: an exception to its rule, the rule that it makes an exception to, and the figure
// that it refers to another article for.
func (q *question) related(best unit, all []unit) (out []unit) {
	for _, u := range ranked(all) {
		if u.passage == best.passage || q.adds(u, nil) == 0 || slices.ContainsFunc(out, func(o unit) bool { return o.passage == u.passage }) {
			continue
		}
		if u.excepts(best) || best.excepts(u) || q.supplies(u, best) {
			out = append(out, u)
		}
	}
	return out
}

// supplies reports whether a unit has the figure that is asked for, if the best unit has
// none and refers to its article: « le congé défini à l’article 232 ».
func (q *question) supplies(u, best unit) bool {
	return q.wanted&u.figures != 0 && q.wanted&best.figures == 0 && u.passage.Title == best.passage.Title &&
		slices.Contains(best.cites, u.article)
}
