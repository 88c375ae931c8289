package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"vigueur/internal/law/french"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
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
func bm25(s *judged.Set) []judge.Judged {
	lists := make(map[string][]held)
	lengths, total := make([]float64, len(s.Articles)), 0.0
	for i, a := range s.Articles {
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
	average := total / float64(len(s.Articles))
	out := make([]judge.Judged, len(s.Questions))
	judged.Each(len(s.Questions), func(i int) {
		scores := make([]float64, len(s.Articles))
		terms := french.Terms(s.Questions[i].Text)
		slices.Sort(terms)
		for _, t := range slices.Compact(terms) {
			n := float64(len(lists[t]))
			rarity := math.Log(1 + (float64(len(s.Articles))-n+0.5)/(n+0.5))
			for _, h := range lists[t] {
				norm := saturation * (1 - length + length*lengths[h.article]/average)
				scores[h.article] += rarity * h.times * (saturation + 1) / (h.times + norm)
			}
		}
		out[i] = s.Questions[i].Judge(best(s, scores))
	})
	return out
}

// best returns the names of the articles that score most.
func best(s *judged.Set, scores []float64) (out []string) {
	var places []int
	for i, x := range scores {
		if x > 0 {
			places = append(places, i)
		}
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(s.Articles[a].ID, s.Articles[b].ID))
	})
	for _, p := range places[:min(len(places), depth)] {
		out = append(out, s.Articles[p].ID)
	}
	return out
}
