package extractive

import "slices"

// relatedLimit is the maximum number of articles that are quoted because the law relates
// them to the first.
const relatedLimit = 2

// findRelated returns sentences of other articles, at most one of each, that the law relates
// to the best: an exception to its rule, the rule that it makes an exception to, or the
// figure for which it refers to another article.
func (q *question) findRelated(best unit, all []unit) (out []unit) {
	for _, u := range byScore(all) {
		if u.passage == best.passage || q.addedShare(u, nil) == 0 || slices.ContainsFunc(out, func(o unit) bool { return o.passage == u.passage }) {
			continue
		}
		if u.excepts(best) || best.excepts(u) || q.supplies(u, best) {
			if out = append(out, u); len(out) == relatedLimit {
				break
			}
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
