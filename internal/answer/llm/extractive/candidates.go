package extractive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
)

// candidateLimit is the maximum number of articles to quote if it is doubtful which one
// answers.
const candidateLimit = 3

// candidates writes the best sentences of each of the first articles.
func (g *Generator) candidates(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	best, articles := g.chooseCandidates(p)
	if len(best) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	if err := yieldDay(p, yield); err != nil {
		return err
	}
	heading := "Ces articles peuvent répondre :"
	if articles == 1 {
		heading = "Cet article peut répondre :"
	}
	if p.Verdict.Why == decide.FalsePremise {
		heading = "L’article nommé ne donne pas ce qui est demandé ; voici ce qu’il dit, et ce qui peut répondre :"
	}
	if p.Verdict.Why == decide.DayUnsaid {
		heading = "La question est au passé et ne dit pas de quel jour est le droit demandé. De quel jour s’agit-il ? Voici ce que dit le droit d’aujourd’hui :"
	}
	if err := yield(heading); err != nil {
		return err
	}
	several := ofSeveralCountries(best)
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

// ofSeveralCountries reports whether the quoted articles belong to several countries; the
// answer must then name the country of each.
func ofSeveralCountries(quoted []unit) bool {
	first := ""
	for _, u := range quoted {
		switch c := u.passage.Country; {
		case first == "":
			first = c
		case c != "" && c != first:
			return true
		}
	}
	return false
}

// chooseCandidates returns the quotations from the first passages that have any, in the
// order of the passages, and the number of passages. For a question that only names
// things, it quotes the beginnings of the passages.
func (g *Generator) chooseCandidates(p llm.Prompt) (chosen []unit, articles int) {
	q, all := g.scoredUnits(p)
	var candidates [][]unit
	for i := range p.Passages {
		article := unitsOf(all, &p.Passages[i])
		if len(article) == 0 || len(candidates) == candidateLimit {
			continue
		}
		if len(q.words) > 0 {
			article = byScore(article)
		}
		candidates = addCandidate(candidates, inOrder(withReserves(withIntroductions(bestThatFit(article)), article)))
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

// bestThatFit returns the best unit of an article and the next best ones that fit into
// wholeLimit together with it. If it is doubtful whether the article answers, it is just as
// doubtful which of its sentences does.
func bestThatFit(ranked []unit) []unit {
	chosen, length := ranked[:1:1], utf8.RuneCountInString(ranked[0].text)
	for _, u := range ranked[1:] {
		if n := utf8.RuneCountInString(u.text); length+n <= wholeLimit {
			chosen, length = append(chosen, u), length+n
		}
	}
	return chosen
}
