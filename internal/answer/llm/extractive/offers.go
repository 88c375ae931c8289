package extractive

import (
	"math"
	"slices"
	"unicode/utf8"
)

// Offer is a sentence that may be quoted beside others of its article, with its features.
type Offer struct {
	Sentence
	Features []float64 // in the order of OfferNames
	unit     unit
}

// The features of an offer. « The best » is the best sentence of its article; « quoted »
// are the sentences already chosen.
const (
	oBias   = iota
	oGap    // its score minus the score of the best
	oLikely // ln of its share in Σ e^score over the article
	oFirst  // it is the first of the article
	oNext   // it directly follows a quoted sentence
	oBack   // it directly follows a quoted sentence and is meaningless without it
	oAdds   // share of the question that it has and no quoted sentence has
	oFigure // it has the figure that is asked for, and no quoted sentence has one
	oQuoted // ln of the number of quoted sentences
	oLong   // ln(code points / 100)
	offerCount
)

var offerNames = [offerCount]string{"bias", "gap", "likely", "first", "next", "points_back", "adds", "figure", "quoted", "long"}

// steps starts with the best sentence of the best article and what must be quoted with
// it. It then calls next with the sentences chosen so far and the other sentences of the
// article, and adds the one whose index next returns, until next returns a negative index
// or no sentence is left. It returns the chosen sentences.
func (q *question) steps(all []unit, next func(quoted []unit, offers []Offer) int) []unit {
	article := byScore(unitsOf(all, all[0].passage))
	best, chosen := bestWithContext(article)
	total := 0.0 // Σ e^score over the article, divided by e^score of the best
	for _, u := range article {
		total += math.Exp(u.score - best.score)
	}
	for {
		var offers []Offer
		for _, u := range article {
			if !slices.ContainsFunc(chosen, u.same) {
				offers = append(offers, q.newOffer(u, chosen, best, total))
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

// newOffer computes the features of a unit beside the chosen ones.
func (q *question) newOffer(u unit, chosen []unit, best unit, total float64) Offer {
	f := make([]float64, offerCount)
	gap := u.score - best.score
	f[oBias], f[oGap], f[oLikely] = 1, gap, gap-math.Log(total)
	f[oFirst], f[oAdds] = indicator(u.at == 0), q.addedShare(u, chosen)
	if slices.ContainsFunc(chosen, func(c unit) bool { return c.at+1 == u.at }) {
		f[oNext], f[oBack] = 1, indicator(pointsBack.MatchString(u.text))
	}
	noneHasFigure := !slices.ContainsFunc(chosen, func(c unit) bool { return q.wanted&c.figures != 0 })
	f[oFigure] = indicator(q.wanted&u.figures != 0 && noneHasFigure)
	f[oQuoted] = math.Log(float64(len(chosen)))
	f[oLong] = math.Log(max(1, float64(utf8.RuneCountInString(u.text))) / 100)
	return Offer{Sentence: u.sentence(), Features: f, unit: u}
}

// pickQuotations starts with the best sentence and what must be quoted with it. It
// repeatedly adds the sentence of the same article that most likely says more of what is
// asked, as long as its probability is at least one over the maximum number of
// quotations. Then it adds sentences of other articles that the law itself relates to the
// best: one at least, more if the maximum allows them.
func (q *question) pickQuotations(all []unit, further []float64) []unit {
	limit := quotationLimit
	if q.listed {
		limit = listedLimit
	}
	threshold := -math.Log(float64(limit - 1)) // log-odds of the probability 1/limit
	chosen := q.steps(all, func(quoted []unit, offers []Offer) int {
		best, at := threshold, -1
		for i := range offers {
			if logOdds := sum(further, offers[i].Features); len(quoted) < limit && (logOdds > best || logOdds == best && at < 0) {
				best, at = logOdds, i
			}
		}
		return at
	})
	related := q.related(chosen[0], all)
	return append(chosen, related[:min(len(related), max(1, limit-len(chosen)))]...)
}

// related returns sentences of other articles, at most one of each, that the law relates
// to the best: an exception to its rule, the rule that it makes an exception to, or the
// figure for which it refers to another article.
func (q *question) related(best unit, all []unit) (out []unit) {
	for _, u := range byScore(all) {
		if u.passage == best.passage || q.addedShare(u, nil) == 0 || slices.ContainsFunc(out, func(o unit) bool { return o.passage == u.passage }) {
			continue
		}
		if u.excepts(best) || best.excepts(u) || q.supplies(u, best) {
			out = append(out, u)
		}
	}
	return out
}

// supplies reports whether a unit has the figure that is asked for, while the best unit
// has none and refers to its article: « le congé défini à l’article 232 ».
func (q *question) supplies(u, best unit) bool {
	return q.wanted&u.figures != 0 && q.wanted&best.figures == 0 && u.passage.Title == best.passage.Title &&
		slices.Contains(best.cites, u.article)
}
