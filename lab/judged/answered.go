package judged

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/judge"
)

// Answered is what the program answered.
type Answered struct {
	Found retrieve.Result
	Text  string
	Cited []int // places of the hits that the answer points at, from 0, in its order; none: it was refused
}

// Searcher finds the passages for a question.
type Searcher interface {
	Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error)
}

// Answer has a question searched and answered.
func Answer(ctx context.Context, searcher Searcher, generator llm.Generator, asked retrieve.Question) (a Answered, err error) {
	if a.Found, err = searcher.Search(ctx, asked); err != nil {
		return a, err
	}
	p := prompt.Of(&a.Found, asked.Text)
	for _, before := range asked.History {
		p.History = append(p.History, llm.Turn{Question: before})
	}
	var text strings.Builder
	err = generator.Generate(ctx, p, func(delta string) error {
		text.WriteString(delta)
		return nil
	})
	if err != nil && !errors.Is(err, llm.ErrAbstained) {
		return a, err
	}
	a.Text = text.String()
	a.Cited = citedIn(a.Text, len(a.Found.Hits))
	return a, nil
}

// Says reports whether the answer says all that it must; one that cites nothing says
// nothing.
func (a *Answered) Says(facts []string) bool {
	return len(a.Cited) > 0 && !slices.ContainsFunc(facts, func(f string) bool { return !judge.Holds(a.Text, f) })
}

// marks finds the numbers of sources in an answer.
var marks = regexp.MustCompile(`\[(\d+)\]`)

// citedIn are the sources that an answer points at.
func citedIn(text string, sources int) (cited []int) {
	for _, m := range marks.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= sources && !slices.Contains(cited, n-1) {
			cited = append(cited, n-1)
		}
	}
	return cited
}
