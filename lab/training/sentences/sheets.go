package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law/french"
	"vigueur/lab/judged"
	encoder "vigueur/lab/training/encoder/learn"
)

// Sheets tell the law in everyday words and cite its articles: the sentence of an article
// that is nearest to a paragraph of the sheet is taken for the one that answers its title.

// sheet is one with the articles that it cites, as passages.
type sheet struct {
	of     *encoder.Sheet
	part   int
	prompt llm.Prompt
}

// mostCited is how many articles of a sheet are read: as many as of a prompt.
const mostCited = 6

// sheets are those that cite articles.
func (t *training) sheets() (out []sheet, rarity map[string]float64, err error) {
	c, err := encoder.Read(t.Path("retrieval"))
	if err != nil {
		return nil, nil, err
	}
	codes, err := judged.Codes(t.Path("retrieval"), c)
	if err != nil {
		return nil, nil, err
	}
	parting := judged.ByGroup(codes, judged.Parts)
	parts := make(map[string]int)
	for i := range codes.Questions {
		parts[codes.Questions[i].ID] = parting.Part(&codes.Questions[i])
	}
	holders, articles := make(map[string]int), make(map[int]bool)
	for i := range c.Sheets {
		s := &c.Sheets[i]
		part, known := parts[s.ID]
		if len(s.Right) == 0 || !known {
			continue
		}
		of := sheet{of: s, part: part, prompt: llm.Prompt{Question: s.Title}}
		for _, at := range s.Right[:min(len(s.Right), mostCited)] {
			a := &c.Articles[at]
			title, path, _ := strings.Cut(a.Title, " > ")
			p := llm.Passage{N: len(of.prompt.Passages) + 1, Title: title, Article: a.Num, Text: strings.ReplaceAll(a.Text, "\n\n", "\n"), Score: 1}
			if path != "" {
				p.Path = strings.Split(path, " > ")
			}
			of.prompt.Passages = append(of.prompt.Passages, p)
			if !articles[at] {
				articles[at] = true
				for _, t := range distinct(a.Text) {
					holders[t]++
				}
			}
		}
		out = append(out, of)
	}
	rarity = make(map[string]float64)
	for t, n := range holders {
		rarity[t] = math.Log(1 + float64(len(articles))/float64(n))
	}
	return out, rarity, nil
}

func distinct(text string) []string {
	terms := french.Terms(text)
	slices.Sort(terms)
	return slices.Compact(terms)
}

// lists are, for each article of a sheet, its sentences; right is the one nearest to the
// sheet, and the list counts as much as it is near.
func (s *sheet) lists(g *extractive.Generator, rarity map[string]float64) (lists []list) {
	var paragraphs [][]string
	for line := range strings.SplitSeq(s.of.Text, "\n") {
		if terms := distinct(line); len(terms) > 2 {
			paragraphs = append(paragraphs, terms)
		}
	}
	of := make(map[int][]extractive.Sentence)
	for _, u := range g.Sentences(s.prompt) {
		of[u.Passage.N] = append(of[u.Passage.N], u)
	}
	for n := 1; n <= len(s.prompt.Passages); n++ {
		all := of[n]
		if len(all) < 2 {
			continue
		}
		l := list{id: s.of.ID, part: s.part, items: make([]item, len(all))}
		near := make([]float64, len(all))
		for i, u := range all {
			l.items[i].features = u.Features[:]
			terms := distinct(u.Text)
			for _, p := range paragraphs {
				near[i] = max(near[i], likeness(terms, p, rarity))
			}
		}
		best := 0
		for i := range near {
			if cmp.Compare(near[i], near[best]) > 0 {
				best = i
			}
		}
		l.items[best].right, l.weight = true, near[best]
		if l.weight > 0 {
			lists = append(lists, l)
		}
	}
	for i := range lists {
		lists[i].weight /= float64(len(lists))
	}
	return lists
}

// likeness is the cosine of two sets of terms, each as much as it is rare.
func likeness(a, b []string, rarity map[string]float64) float64 {
	shared, inA, inB := 0.0, 0.0, 0.0
	for _, t := range a {
		w := rarity[t] * rarity[t]
		inA += w
		if _, found := slices.BinarySearch(b, t); found {
			shared += w
		}
	}
	for _, t := range b {
		inB += rarity[t] * rarity[t]
	}
	if shared == 0 {
		return 0
	}
	return shared / math.Sqrt(inA*inB)
}
