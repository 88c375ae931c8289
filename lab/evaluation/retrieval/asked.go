package main

import (
	"context"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// depth is how many articles a ranking is judged by at most.
const depth = 300

// asking is a set with the vectors of an encoder, or without.
type asking struct {
	*judged.Set
	vectors *judged.Vectors
}

func with(s *judged.Set, encoder *encode.Encoder) asking { return asking{s, s.Encode(encoder)} }

// ask asks questions by meaning too, or by words alone, with a ranking or, with
// nil, that of the program.
func (a asking) ask(ctx context.Context, questions []judged.Question, model *rank.Model) ([]judge.Judged, error) {
	searcher, err := a.Open(ctx, a.vectors, model)
	if err != nil {
		return nil, err
	}
	out := make([]judge.Judged, len(questions))
	err = judged.Look(ctx, searcher, judged.Asked(questions), func(i int, looked *retrieve.Examined) {
		out[i] = questions[i].Judge(a.Ranked(looked))
	})
	return out, err
}

// byMeaning orders by the meaning alone.
func byMeaning() *rank.Model {
	alone := rank.Step{Semantic: rank.Weights{rank.Cosine: 1}}
	return &rank.Model{Find: alone, Order: alone}
}
