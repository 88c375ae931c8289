package main

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/lab/house"
)

var suffix = regexp.MustCompile(`(?i)\d+ ?(?:bis|ter|quater)\b`)

// TestLikelihoodReturnsTheGradient compares the derivatives with small steps.
func TestLikelihoodReturnsTheGradient(t *testing.T) {
	t.Parallel()
	j := judgment.Judgment{Trust: 0.7, Numbering: map[string]float64{"next": 1, "left out": -0.5, "back": -2}}
	texts := 0
	for i, style := range house.Styles()[:4] {
		made := house.Make(style, countingSeed, house.Worn(uint64(i)))
		layout.Arrange(made.Pages)
		for _, c := range segment.Standard().Counting(made.Pages) {
			if slices.ContainsFunc(c.Lines, func(l layout.Line) bool { return suffix.MatchString(l.Text()) }) {
				continue // Score does not weigh the chain's doubts of such numbers, which the derivative leaves out
			}
			var heads []int
			for i, l := range c.Lines {
				if label, _, ok := made.LineLabel(l); ok && label == house.Article {
					heads = append(heads, i)
				}
			}
			texts++
			log, followings, trust := likelihood(c, j, heads)
			if log >= 0 {
				t.Errorf("the logarithm of a probability is %v", log)
			}
			const step = 1e-5
			for name, slope := range followings {
				moved := judgment.Judgment{Trust: j.Trust, Numbering: maps.Clone(j.Numbering)}
				moved.Numbering[name] += step
				after, _, _ := likelihood(c, moved, heads)
				if got := (after - log) / step; math.Abs(got-slope) > 1e-3 {
					t.Errorf("%s: %v and not %v", name, slope, got)
				}
			}
			moved := j
			moved.Trust += step
			after, _, _ := likelihood(c, moved, heads)
			if got := (after - log) / step; math.Abs(got-trust) > 1e-3 {
				t.Errorf("trust: %v and not %v", trust, got)
			}
		}
	}
	if texts < 4 {
		t.Errorf("%d texts", texts)
	}
}
