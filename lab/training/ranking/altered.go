package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/lab/judged"
	"vigueur/lab/training/ranking/learn"
)

// altered are the lists of articles that are read for questions of which it is known
// what answers them, where other texts are: so that there are questions
// that nothing answers, as many as such that something does.
func (t *training) altered(ctx context.Context, by rank.Vectors, find [judged.Parts]rank.Weights) (lists []*learn.List, err error) {
	sources := []func(context.Context, rank.Vectors, [judged.Parts]rank.Weights) ([]*learn.List, error){t.otherFiles, t.otherCodes}
	if t.alone {
		sources = sources[:1]
	}
	for _, more := range sources {
		some, err := more(ctx, by, find)
		if err != nil {
			return nil, err
		}
		lists = append(lists, some...)
	}
	slices.SortFunc(lists, func(a, b *learn.List) int {
		return cmp.Or(strings.Compare(a.Set, b.Set), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.ID, b.ID))
	})
	t.Printf("%d questions are asked of other sets of texts", len(lists))
	return lists, nil
}

// otherFiles has questions on gazettes asked of other files: of all without those that
// answer them (robbed), of these alone (alone), and of the files alone that answer the
// questions next in line (astray). What is asked differs in size, and most of what
// people ask is in none.
func (t *training) otherFiles(ctx context.Context, by rank.Vectors, find [judged.Parts]rank.Weights) (lists []*learn.List, err error) {
	f := t.onGazettes()
	files, of := byFiles(f.Questions)
	for i, own := range files {
		next := files[(i+1)%len(files)]
		for kind, set := range map[learn.Kind]*judged.Set{learn.Robbed: f.Without(own...), learn.Alone: f.Only(own...), learn.Astray: f.Only(next...)} {
			part := f.parting.Part(&of[i][0])
			some, err := t.unanswered(ctx, f, set, of[i], part, by, find[part], kind)
			if err != nil {
				return nil, err
			}
			lists = append(lists, some...)
		}
	}
	return lists, nil
}

// unanswered has questions asked of a set that, but for that of kind learn.Alone, has
// nothing that answers them.
func (t *training) unanswered(ctx context.Context, f *field, set *judged.Set, questions []judged.Question, part int, by rank.Vectors, find rank.Weights, kind learn.Kind) (lists []*learn.List, err error) {
	perText := set.PerText()
	err = f.ask(ctx, set, questions, part, by, finding(find), func(q *judged.Question, looked *retrieve.Examined) {
		l := f.list(q)
		l.Kind, l.PerText = kind, perText
		if kind == learn.Alone {
			l.Read(looked, set.ArticleName, q.Right)
		} else {
			l.Read(looked, set.ArticleName, nil)
			l.Right = 0
		}
		l.Rest = nil // nobody looks at more than what was read
		lists = append(lists, l)
	})
	return lists, err
}

// byFiles parts questions that gazettes answer by the files that do.
func byFiles(questions []judged.Question) (files [][]string, of [][]judged.Question) {
	at := make(map[string]int)
	for _, q := range questions {
		if len(q.Right) == 0 {
			continue
		}
		var names []string
		for _, g := range q.Asked.Gold {
			names = append(names, g.Document)
		}
		key := fmt.Sprint(names)
		i, known := at[key]
		if !known {
			i = len(files)
			at[key] = i
			files, of = append(files, names), append(of, nil)
		}
		of[i] = append(of[i], q)
	}
	return files, of
}

// thinned has questions on gazettes asked of everything but the articles that answer them,
// whose texts stay: what is near to an answer is there, and the answer is not. So many
// catalogs are made, in each of which what answers one share of the questions is missing.
// Codes are left alone: of their articles that answer a question not all are known.
func (t *training) thinned(ctx context.Context, by rank.Vectors, find [judged.Parts]rank.Weights) (lists []*learn.List, err error) {
	f := t.onGazettes()
	for share := range thinnings {
		var asked []judged.Question
		out := make(map[string]bool)
		for i := range f.Questions {
			if q := &f.Questions[i]; len(q.Right) > 0 && shareOf(q.Split, thinnings) == share {
				asked = append(asked, *q)
				maps.Copy(out, q.Right)
			}
		}
		set := f.WithoutArticles(out)
		for part := range judged.Parts {
			some, err := t.unanswered(ctx, f, set, f.parting.Those(asked, part), part, by, find[part], learn.Thinned)
			if err != nil {
				return nil, err
			}
			lists = append(lists, some...)
		}
	}
	t.Printf("%d questions are asked of everything but what answers them", len(lists))
	return lists, nil
}

const (
	// thinnings is how many catalogs are made of the gazettes, each without what answers a
	// share of the questions.
	thinnings = 5
	// Into so many groups the codes are parted, by their names, to be left out together:
	// what is left of a field of law in others is not to answer in its place.
	codeGroups = 3
	laborCode  = "Code du travail"
)

// otherCodes has citizens' questions, and those about labor law, asked of the codes
// without the group that has the articles which answer them.
func (t *training) otherCodes(ctx context.Context, by rank.Vectors, find [judged.Parts]rank.Weights) (lists []*learn.List, err error) {
	codes, labor := t.sets[0], t.sets[1]
	titles := codes.Titles()
	groups := func(q *judged.Question) (of []int) {
		for id := range q.Right {
			of = append(of, groupOf(titles[id]))
		}
		slices.Sort(of)
		return slices.Compact(of)
	}
	var left [codeGroups][]judged.Question // by the group that is left out
	for i := range codes.Questions {
		if of := groups(&codes.Questions[i]); len(of) == 1 {
			left[of[0]] = append(left[of[0]], codes.Questions[i])
		}
	}
	for group, questions := range left {
		set := codes.WithoutTexts(func(title string) bool { return groupOf(title) == group })
		for part := range judged.Parts {
			some, err := t.unanswered(ctx, codes, set, codes.parting.Those(questions, part), part, by, find[part], learn.Robbed)
			if err != nil {
				return nil, err
			}
			lists = append(lists, some...)
			if group != groupOf(laborCode) {
				continue
			}
			if some, err = t.unanswered(ctx, codes, set, labor.parting.Those(labor.Questions, part), part, by, find[part], learn.Robbed); err != nil {
				return nil, err
			}
			for _, l := range some {
				l.Set, l.Weight = labor.Name, 1/labor.size[l.Group]
			}
			lists = append(lists, some...)
		}
	}
	return lists, nil
}

func groupOf(title string) int { return shareOf(title, codeGroups) }

// shareOf is which of so many shares a name falls into.
func shareOf(name string, shares int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return int(h.Sum32()>>8) % shares
}
