package extractive

import (
	"context"
	"fmt"

	"vigueur/internal/llm"
)

// mostCandidates is how many articles are given where it is doubtful which answers.
const mostCandidates = 3

// candidates gives the best sentence of each of the first articles.
func (g *Generator) candidates(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	best := g.bests(p)
	if len(best) == 0 {
		if err := abstain(p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	}
	lead := "Ces articles peuvent répondre :"
	if len(best) == 1 {
		lead = "Cet article peut répondre :"
	}
	if err := yield(lead); err != nil {
		return err
	}
	for _, u := range best {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield("\n\n" + introduce(u, nil)); err != nil {
			return err
		}
		if err := yield(fmt.Sprintf("« %s » [%d]", u.quote(), u.passage.N)); err != nil {
			return err
		}
	}
	return nil
}

// bests are the best units of the first passages, one each, in their order; of a
// question that only names things, the first ones.
func (g *Generator) bests(p llm.Prompt) (best []unit) {
	q, all := g.weighed(p)
	for i := range p.Passages {
		var of []unit
		for _, u := range all {
			if u.passage == &p.Passages[i] {
				of = append(of, u)
			}
		}
		if len(of) == 0 || len(best) == mostCandidates {
			continue
		}
		at := 0
		for k := range of {
			if len(q.words) > 0 && of[k].score > of[at].score {
				at = k
			}
		}
		best = append(best, of[at])
	}
	return best
}
