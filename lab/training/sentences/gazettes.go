package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/search/encode"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// asked is a question on gazettes with what the search found for it.
type asked struct {
	id     string
	part   int
	sealed bool
	prompt llm.Prompt
	right  map[int]bool // the numbers of the passages that answer
	facts  []string
}

// gazettes asks the questions that gazettes answer.
func (t *training) gazettes(ctx context.Context) (out []asked, err error) {
	set, err := judged.OpenGazettes(ctx, t.Path("pdfs"), t.kept)
	if err != nil {
		return nil, err
	}
	if err := set.AskAll(t.Data); err != nil {
		return nil, err
	}
	carried, err := encode.Builtin()
	if err != nil {
		return nil, err
	}
	searcher, err := set.Open(ctx, set.Encode(carried), nil)
	if err != nil {
		return nil, err
	}
	searcher.All = false
	by := judged.ByFile(judged.Parts)
	var questions []judged.Question
	for _, q := range set.Questions {
		if len(q.Asked.Gold) > 0 {
			questions = append(questions, q)
		}
	}
	all, errs := make([]asked, len(questions)), make([]error, len(questions))
	put := judged.Asked(questions)
	judged.Each(len(questions), func(i int) {
		q := &questions[i]
		found, err := searcher.Search(ctx, put[i])
		a := asked{id: q.ID, part: by.Part(q), sealed: judged.Sealed(q), right: make(map[int]bool), facts: q.Asked.KeyFacts, prompt: prompt.Of(&found, put[i].Text)}
		for _, before := range put[i].History {
			a.prompt.History = append(a.prompt.History, llm.Turn{Question: before})
		}
		for n, h := range found.Hits {
			if set.Fits(q.Asked, &h.Document, &h.Article) {
				a.right[n+1] = true
			}
		}
		all[i], errs[i] = a, err
	})
	return all, errors.Join(errs...)
}

// said counts the facts that a text says.
func (a *asked) said(text string) (n int) {
	for _, f := range a.facts {
		if judge.Holds(text, f) {
			n++
		}
	}
	return n
}

// lists are the sentences of each article that answers; right are those that say the most
// of the facts.
func (a *asked) lists(all []extractive.Sentence) (lists []list) {
	for n := 1; n <= len(a.prompt.Passages); n++ {
		l := list{id: a.id, part: a.part, weight: 1}
		var says []int
		for _, s := range all {
			if a.right[n] && s.Passage.N == n {
				l.items = append(l.items, item{features: s.Features[:]})
				says = append(says, a.said(s.Text))
			}
		}
		if len(says) == 0 || slices.Max(says) == 0 {
			continue
		}
		for i := range l.items {
			l.items[i].right = says[i] == slices.Max(says)
		}
		lists = append(lists, l)
	}
	return lists
}

func texts(all []extractive.Sentence) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Text + "\n")
	}
	return b.String()
}

// tally is how sentences were chosen.
type tally struct {
	questions, facts    int // all facts are said
	sealed, sealedFacts int // of those that nobody looks at
	articles, first     int // articles that say facts, and those whose best sentence says the most
	length              int // code points that were quoted
}

// String tells it.
func (t tally) String() string {
	return fmt.Sprintf("facts said %d of %d (sealed %d of %d), right sentence first %d of %d, %d code points an answer",
		t.facts, t.questions, t.sealedFacts, t.sealed, t.first, t.articles, t.length/max(1, t.questions))
}

// try has sentences chosen for all questions, each by the model of its part, as if it were
// sure that the first article answers.
func try(all []asked, model func(part int) *extractive.Learned, generator func(*extractive.Learned) *extractive.Generator) (t tally) {
	for i := range all {
		a := &all[i]
		g := generator(model(a.part))
		for _, l := range a.lists(g.Sentences(a.prompt)) {
			t.articles++
			t.first += ones(l.items[0].right)
		}
		chosen := texts(g.Chosen(a.prompt))
		said := ones(a.said(chosen) == len(a.facts))
		t.questions, t.facts, t.length = t.questions+1, t.facts+said, t.length+utf8.RuneCountInString(chosen)
		if a.sealed {
			t.sealed, t.sealedFacts = t.sealed+1, t.sealedFacts+said
		}
	}
	return t
}

func ones(is bool) int {
	if is {
		return 1
	}
	return 0
}
