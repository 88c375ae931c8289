package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/judge"
)

// Of BM25, as textbooks have them.
const (
	saturation = 1.5
	length     = 0.75
)

// held is an article that holds a term, and how often.
type held struct {
	article int
	times   float64
}

// bm25 asks a plain BM25 over headings and text, whose words are those of the
// product.
func bm25(s *set) []judge.Judged {
	lists := make(map[string][]held)
	lengths, total := make([]float64, len(s.articles)), 0.0
	for i, a := range s.articles {
		count := make(map[string]float64)
		for _, t := range french.Terms(a.Title + "\n" + a.Text) {
			count[t]++
			lengths[i]++
		}
		total += lengths[i]
		for t, n := range count {
			lists[t] = append(lists[t], held{i, n})
		}
	}
	average := total / float64(len(s.articles))
	out := make([]judge.Judged, len(s.questions))
	each(len(s.questions), func(i int) {
		scores := make([]float64, len(s.articles))
		terms := french.Terms(s.questions[i].Text)
		slices.Sort(terms)
		for _, t := range slices.Compact(terms) {
			n := float64(len(lists[t]))
			rarity := math.Log(1 + (float64(len(s.articles))-n+0.5)/(n+0.5))
			for _, h := range lists[t] {
				norm := saturation * (1 - length + length*lengths[h.article]/average)
				scores[h.article] += rarity * h.times * (saturation + 1) / (h.times + norm)
			}
		}
		out[i] = s.questions[i].judge(s.best(scores))
	})
	return out
}

// best gives the names of the articles that score most.
func (s *set) best(scores []float64) (out []string) {
	var places []int
	for i, x := range scores {
		if x > 0 {
			places = append(places, i)
		}
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(s.articles[a].ID, s.articles[b].ID))
	})
	for _, p := range places[:min(len(places), depth)] {
		out = append(out, s.articles[p].ID)
	}
	return out
}
