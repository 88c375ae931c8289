package extractive

import (
	"context"
	"fmt"
	"unicode/utf8"

	"vigueur/internal/llm"
)

// mostCandidates is how many articles are quoted if it is doubtful which one answers.
const mostCandidates = 3

// candidates writes the best sentences of each of the first articles.
func (g *Generator) candidates(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	best, articles := g.bests(p)
	if len(best) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	lead := "Ces articles peuvent répondre :"
	if articles == 1 {
		lead = "Cet article peut répondre :"
	}
	if err := yield(lead); err != nil {
		return err
	}
	several := countries(best)
	for i, u := range best {
		if err := ctx.Err(); err != nil {
			return err
		}
		said := "\n\n"
		var before *unit
		if i > 0 && best[i-1].passage == u.passage {
			before, said = &best[i-1], ""
		} else if several && u.passage.Country != "" {
			said += "Droit cité : " + u.passage.Country + ". "
		}
		if err := yield(said + introduce(u, before)); err != nil {
			return err
		}
		if err := yield(fmt.Sprintf("« %s » [%d]", u.quote(), u.passage.N)); err != nil {
			return err
		}
	}
	return nil
}

// countries reports whether quoted articles are the law of several countries: then the
// answer must say which is whose.
func countries(quoted []unit) bool {
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

// bests are the quotations from the first passages that have any, in their order; for a
// question that only names things, the beginning.
func (g *Generator) bests(p llm.Prompt) (chosen []unit, articles int) {
	q, all := g.weighed(p)
	for i := range p.Passages {
		article := of(all, &p.Passages[i])
		if len(article) == 0 || articles == mostCandidates {
			continue
		}
		articles++
		if len(q.words) > 0 {
			article = ranked(article)
		}
		chosen = append(chosen, withReserves(led(fitting(article)), article)...)
	}
	return joined(inOrder(chosen)), articles
}

// fitting is the best unit of an article and as many others as fit with it into the length
// of an article that is quoted whole: it is as doubtful which of the sentences answers as
// whether the article does.
func fitting(ranked []unit) []unit {
	chosen, length := ranked[:1:1], utf8.RuneCountInString(ranked[0].text)
	for _, u := range ranked[1:] {
		if n := utf8.RuneCountInString(u.text); length+n <= wholeLimit {
			chosen, length = append(chosen, u), length+n
		}
	}
	return chosen
}
