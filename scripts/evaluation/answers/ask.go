package main

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/llm"
	"vigueur/internal/llm/extractive"
	"vigueur/internal/rank"
	"vigueur/internal/retrieve"
	"vigueur/scripts/judge"
	"vigueur/scripts/judged"
)

// outcome is what became of a question.
type outcome struct {
	ID          string       `json:"id"`
	Has         bool         `json:"has"` // an answer
	Sealed      bool         `json:"sealed"`
	First       bool         `json:"first"` // the first article cited answers
	Three       bool         `json:"three"` // one of the first three cited does
	Cited       bool         `json:"cited"` // one of all cited does
	Facts       bool         `json:"facts"` // all that must be said is
	Refused     bool         `json:"refused"`
	Verdict     rank.Verdict `json:"verdict"`
	Probability float64      `json:"probability"`
	Answers     bool         `json:"answers"` // the first article of the search does
	told        string
}

// good tells whether the answer is what it should be.
func (o *outcome) good() bool {
	if !o.Has {
		return o.Refused
	}
	return o.Cited && o.Facts
}

// ask asks questions by a ranking, that of the program with nil.
func (r *report) ask(ctx context.Context, questions []judged.Question, model *rank.Model) ([]outcome, error) {
	searcher, err := r.set.Open(ctx, r.vectors, model)
	if err != nil {
		return nil, err
	}
	searcher.All = false
	generator := &extractive.Generator{Lexicon: french.NewLexicon()}
	asked := judged.Asked(questions)
	out, errs := make([]outcome, len(questions)), make([]error, len(questions))
	judged.Each(len(questions), func(i int) {
		out[i], errs[i] = r.one(ctx, searcher, generator, &questions[i], asked[i])
	})
	return out, errors.Join(errs...)
}

func (r *report) one(ctx context.Context, searcher *retrieve.Searcher, generator llm.Generator, q *judged.Question, asked retrieve.Question) (o outcome, err error) {
	found, err := searcher.Search(ctx, asked)
	if err != nil {
		return o, err
	}
	p := found.Prompt(asked.Text)
	for _, before := range asked.History {
		p.History = append(p.History, llm.Turn{Question: before})
	}
	var text strings.Builder
	err = generator.Generate(ctx, p, func(delta string) error {
		text.WriteString(delta)
		return nil
	})
	if err != nil && !errors.Is(err, llm.ErrAbstained) {
		return o, err
	}
	o = outcome{ID: q.ID, Has: len(q.Asked.Gold) > 0, Sealed: judged.Sealed(q), Verdict: found.Verdict, Probability: found.Probability}
	cited := citedIn(text.String(), len(found.Hits))
	o.Refused = len(cited) == 0
	for i, n := range cited {
		if r.set.Fits(q.Asked, found.Hits[n-1].Found) {
			o.Cited, o.First, o.Three = true, o.First || i == 0, o.Three || i < 3
		}
	}
	o.Answers = len(found.Hits) > 0 && r.set.Fits(q.Asked, found.Hits[0].Found)
	o.Facts = o.Has && !o.Refused && !slices.ContainsFunc(q.Asked.KeyFacts, func(f string) bool { return !judge.Holds(text.String(), f) })
	o.told = strings.Join(strings.Fields(q.Text), " ")
	return o, nil
}

// marks finds the numbers of sources in an answer.
var marks = regexp.MustCompile(`\[(\d+)\]`)

// citedIn are the sources that an answer points at, in their order.
func citedIn(text string, sources int) (cited []int) {
	for _, m := range marks.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= sources && !slices.Contains(cited, n) {
			cited = append(cited, n)
		}
	}
	return cited
}
