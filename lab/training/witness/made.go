package main

import (
	"fmt"
	"math"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/lab/gazettes"
	"vigueur/lab/house"
)

// Seeds of the issues that are made here: the chain has learned from lower ones, and
// the evaluation begins at a million.
const (
	countingSeed = 2_000_000
	witnessSeed  = 3_000_000
)

// madeIssues makes n issues of every house style, and as many of drawn styles.
func madeIssues(n int, from uint64) []house.Issue {
	styles := house.Styles()
	var out []house.Issue
	for i := range n * len(styles) {
		seed := from + uint64(i)
		out = append(out, house.Make(styles[i%len(styles)], seed, house.Worn(seed)), house.Make(house.Drawn(seed), seed, house.Worn(seed+1)))
	}
	for i := range out {
		layout.Arrange(out[i].Pages)
	}
	return out
}

// cutMade cuts made issues.
func cutMade(m *chain.Model, j judgment.Judgment, issues []house.Issue) []text {
	var out []text
	for _, made := range issues {
		issue := unjudged(m, j).Split(made.Pages, gazette.Hints{})
		out = append(out, textsOf(gazettes.MadeTruth(made), issue, 1)...)
	}
	return out
}

// Of the ascent that learns how numbers follow one another.
const (
	countPasses = 150
	countRate   = 0.2
	countDecay  = 0.5 // penalty on large weights
	leastTrust  = 0.1
)

// learnNumbering learns how much each way in which numbers of articles follow one
// another counts beside what the chain says of each line: by the likelihood of the
// true choice among the lines of a text that read as heads, with AdaGrad.
func learnNumbering(j *judgment.Judgment, m *chain.Model, issues []house.Issue) {
	learnFollowings(j, m, issues, judgment.Judgment{Numbering: map[string]float64{}, Trust: 1}, append(articles.Followings(), trustName))
}

// learnFollowings is learnNumbering for some of the weights, from where all of them begin.
func learnFollowings(j *judgment.Judgment, m *chain.Model, issues []house.Issue, at judgment.Judgment, names []string) {
	type trial struct {
		articles.Counting
		heads []int
	}
	var trials []trial
	for _, made := range issues {
		for _, c := range (segment.Cutter{Model: m}).Counting(made.Pages) {
			t := trial{Counting: c}
			for i, l := range c.Lines {
				if label, _, ok := made.LineLabel(l); ok && label == house.Article {
					t.heads = append(t.heads, i)
				}
			}
			trials = append(trials, t)
		}
	}
	square := map[string]float64{}
	for pass := range countPasses {
		log, wrong := 0.0, 0
		grad := map[string]float64{}
		for _, t := range trials {
			l, followings, trust := likelihood(t.Counting, at, t.heads)
			log += l
			grad[trustName] += trust
			for name, v := range followings {
				grad[name] += v
			}
			if !slices.Equal(t.Choose(at), t.heads) {
				wrong++
			}
		}
		for _, name := range names {
			g := grad[name] - countDecay*at.Numbering[name]
			square[name] += g*g + 1e-9
			step := countRate * g / math.Sqrt(square[name])
			if name == trustName {
				at.Trust = max(leastTrust, at.Trust+step)
				continue
			}
			at.Numbering[name] += step
		}
		if pass%50 == 49 {
			fmt.Printf("counting, pass %d: log likelihood %.1f, %d of %d texts chosen otherwise\n", pass, log, wrong, len(trials))
		}
	}
	j.Numbering, j.Trust = map[string]float64{}, hundredths(at.Trust)
	for name, v := range at.Numbering {
		j.Numbering[name] = hundredths(v)
	}
}

const trustName = "trust"
