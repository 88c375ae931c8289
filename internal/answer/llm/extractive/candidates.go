package extractive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
)

// Articles are quoted until the right one is among them in enough of a hundred answers in
// which any of them is right, at most candidateLimit.
const (
	enough         = 0.85
	candidateLimit = 3
)

// articlesToQuote returns how many of the passages to quote, by their probabilities.
func articlesToQuote(passages []*llm.Passage) (n int) {
	all := 0.0
	for _, p := range passages {
		all += p.Score
	}
	for sum := 0.0; n < min(len(passages), candidateLimit) && sum < enough*all; n++ {
		sum += passages[n].Score
	}
	return max(n, 1)
}

// candidates writes the rules of the first articles that may answer.
func (g *Generator) candidates(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	best, articles := g.chooseCandidates(p)
	if len(best) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	if err := yieldNotes(p, yield); err != nil {
		return err
	}
	heading := "Réponses possibles :"
	if articles == 1 {
		heading = "Réponse possible :"
	}
	if p.Verdict.Why == decide.FalsePremise {
		heading = "L’article nommé ne donne pas ce qui est demandé ; voici ce qu’il dit, et ce qui peut répondre :"
	}
	if p.Verdict.Why == decide.DayUnsaid {
		heading = "La question est au passé et ne dit pas de quel jour est le droit demandé. De quel jour s’agit-il ? Voici ce que dit le droit d’aujourd’hui :"
	}
	of := countriesOf(best)
	several := len(of) > 1
	switch {
	case p.Country != "" && several:
		heading = strings.Replace(heading, "Réponses possibles :", "La question ne nomme pas de pays ; réponses possibles pour chacun de ceux-ci, "+strings.Join(of, ", ")+" :", 1)
	case p.Country != "":
		heading += "\n\n" + strings.TrimSpace(countryNote(p))
	}
	if err := yield(heading); err != nil {
		return err
	}
	for i, u := range best {
		if err := ctx.Err(); err != nil {
			return err
		}
		var before *unit
		if i > 0 && best[i-1].passage == u.passage {
			before = &best[i-1]
		}
		text := introduce(u, before)
		if before == nil {
			if several && u.passage.Country != "" {
				text = "Droit cité : " + u.passage.Country + " – " + law.Small(text)
			}
			text = "\n\n" + text
		}
		if err := yield(text); err != nil {
			return err
		}
		if err := yield(fmt.Sprintf("« %s » %s", u.quote(), Marks(*u.passage))); err != nil {
			return err
		}
	}
	return nil
}

// countriesOf returns the countries of the quoted articles, in order; if there are several,
// the answer must name the country of each.
func countriesOf(quoted []unit) (names []string) {
	for _, u := range quoted {
		if c := u.passage.Country; c != "" && !slices.Contains(names, c) {
			names = append(names, c)
		}
	}
	return names
}

// onePerCountry returns the first passage of each country, in order: of a question that names
// no country and that the law of several may answer.
func onePerCountry(passages []llm.Passage) (out []*llm.Passage) {
	for i := range passages {
		p := &passages[i]
		if p.Country != "" && !slices.ContainsFunc(out, func(o *llm.Passage) bool { return o.Country == p.Country }) {
			out = append(out, p)
		}
	}
	return out
}

// chooseCandidates returns the quotations from the first passages that have any, in the
// order of the passages, and the number of passages; one of each country if the question names
// none and several may answer. For a question that only names
// things, it quotes the beginnings of the passages.
func (g *Generator) chooseCandidates(p llm.Prompt) (chosen []unit, articles int) {
	q, all := g.scoredUnits(p)
	var candidates [][]unit
	var from []*llm.Passage
	if len(p.Others) > 0 {
		from = onePerCountry(p.Passages)
	} else {
		for i := range p.Passages {
			from = append(from, &p.Passages[i])
		}
	}
	limit := articlesToQuote(from)
	for _, passage := range from {
		article := unitsOf(all, passage)
		if len(article) == 0 || len(candidates) == limit {
			continue
		}
		if len(q.words) > 0 {
			article = byScore(article)
		}
		candidates = addCandidate(candidates, inOrder(withIntroductions(rule(article))))
	}
	return joinSentences(inOrder(slices.Concat(candidates...))), len(candidates)
}

// addCandidate adds a candidate, unless another consists of the same words, as a decree and
// its annex sometimes do: the reader would get the same text twice and one candidate
// less. If one of the two is from an annex, the other is kept.
func addCandidate(candidates [][]unit, c []unit) [][]unit {
	for i, other := range candidates {
		if termsOf(other) != termsOf(c) {
			continue
		}
		if fromAnnex(other) && !fromAnnex(c) {
			candidates[i] = c
		}
		return candidates
	}
	return append(candidates, c)
}

// fromAnnex reports whether a candidate is from an annex.
func fromAnnex(c []unit) bool { return strings.HasPrefix(law.Fold(c[0].passage.Article), "annexe") }

// termsOf returns the terms of the units, in order.
func termsOf(units []unit) string {
	var terms []string
	for _, u := range units {
		terms = append(terms, u.order...)
	}
	return strings.Join(terms, " ")
}

// rule returns what is quoted of an article, whose units are sorted by score: all of it if
// it is short, else the best unit with what comes before it, from the beginning of the
// article if that fits, and then what comes after it. Nothing between them is left out.
func rule(ranked []unit) []unit {
	article := slices.Clone(ranked)
	slices.SortStableFunc(article, func(a, b unit) int { return cmp.Compare(a.at, b.at) })
	if quotable(article) {
		return article
	}
	best := slices.IndexFunc(article, ranked[0].same)
	from, to, length := best, best, utf8.RuneCountInString(article[best].text)
	fits := func(u unit) bool {
		n := utf8.RuneCountInString(u.text)
		if length+n > wholeLimit {
			return false
		}
		length += n
		return true
	}
	for from > 0 && fits(article[from-1]) {
		from--
	}
	for to+1 < len(article) && fits(article[to+1]) {
		to++
	}
	return article[from : to+1]
}
