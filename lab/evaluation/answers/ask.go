package main

import (
	"context"
	"errors"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/refer"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/judged"
)

// outcome is what became of a question.
type outcome struct {
	ID          string             `json:"id"`
	Country     string             `json:"country"` // whose law answers; "": none does
	Style       string             `json:"style,omitempty"`
	Has         bool               `json:"has"` // an answer
	Sealed      bool               `json:"sealed"`
	First       bool               `json:"first"` // the first article cited answers
	Three       bool               `json:"three"` // one of the first three cited does
	Cited       bool               `json:"cited"` // one of all cited does
	Facts       bool               `json:"facts"` // all that must be said is
	Refused     bool               `json:"refused"`
	Verdict     decide.Grade       `json:"verdict"`
	Probability float64            `json:"probability"`
	Answers     bool               `json:"answers"` // the first article of the search does
	Evidence    map[string]float64 `json:"evidence,omitempty"`
	told        string
}

// good reports whether the answer is what it should be.
func (o *outcome) good() bool {
	if !o.Has {
		return o.Refused
	}
	return o.Cited && o.Facts
}

// ask asks questions by a ranking and a choice of sentences, those of the program with nil.
func (r *report) ask(ctx context.Context, questions []judged.Question, model *rank.Model, choice *extractive.Learned) ([]outcome, error) {
	searcher, err := r.set.Open(ctx, r.vectors, model)
	if err != nil {
		return nil, err
	}
	searcher.All, searcher.Words = false, r.vectors.Encoder
	if r.reads != nil {
		searcher.Sentences = r.reads
		if r.reader != nil {
			searcher.Reader = r.reader
		}
	}
	var search judged.Searcher = searcher
	if r.names != nil {
		search = named{refer.Resolver{DB: r.names, Next: searcher}}
	}
	generator := &extractive.Generator{Lexicon: french.NewLexicon(), Learned: choice}
	asked := judged.Asked(questions)
	out, errs := make([]outcome, len(questions)), make([]error, len(questions))
	judged.Each(len(questions), func(i int) {
		out[i], errs[i] = r.one(ctx, search, generator, &questions[i], asked[i])
	})
	return out, errors.Join(errs...)
}

// named resolves what a question names, too; an answer without a generator counts as its articles.
type named struct{ refer.Resolver }

func (n named) Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error) {
	found, err := n.Resolver.Search(ctx, q)
	return found.Result, err
}

func (r *report) one(ctx context.Context, search judged.Searcher, generator llm.Generator, q *judged.Question, asked retrieve.Question) (o outcome, err error) {
	answered, err := judged.Answer(ctx, search, generator, asked)
	if err != nil {
		return o, err
	}
	found := &answered.Found
	o = outcome{ID: q.ID, Country: q.Asked.Country(), Style: q.Asked.Style, Has: len(q.Right) > 0 || len(q.Asked.Gold) > 0, Sealed: judged.Sealed(q), Verdict: found.Verdict.Grade, Probability: found.Verdict.Probability}
	o.Refused, o.Evidence = len(answered.Cited) == 0, found.Verdict.Evidence.ByName()
	for i, n := range answered.Cited {
		if q.Right[r.set.ArticleName(found.Hits[n].Article.ID)] {
			o.Cited, o.First, o.Three = true, o.First || i == 0, o.Three || i < 3
		}
	}
	o.Answers = len(found.Hits) > 0 && q.Right[r.set.ArticleName(found.Hits[0].Article.ID)]
	o.Facts = o.Has && answered.Says(q.Asked.KeyFacts)
	o.told = strings.Join(strings.Fields(q.Text), " ")
	return o, nil
}
