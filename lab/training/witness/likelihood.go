package main

import (
	"math"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/judgment"
)

// likelihood returns the contribution of one text to the training of the numbering: the log-likelihood of the heads
// with the given indexes, and its derivatives by the weight of each following and sign, by name, and by Trust.
func likelihood(c articles.Counting, j judgment.Judgment, heads []int) (log float64, followings map[string]float64, trust float64) {
	followings = map[string]float64{}
	count := func(i, last int, by float64) {
		logit, names := c.Weighed(i, last)
		for _, name := range names {
			followings[name] += by
		}
		trust += by * logit
	}
	last := -1
	for _, i := range heads {
		log += c.Score(j, i, last)
		count(i, last, 1)
		last = i
	}
	before, after, total := c.Sums(j)
	for i := range c.Lines {
		count(i, -1, -math.Exp(c.Score(j, i, -1)+after[i]-total))
		for k := max(0, i-articles.CandidateReach); k < i; k++ {
			count(i, k, -math.Exp(before[k]+c.Score(j, i, k)+after[i]-total))
		}
	}
	return log - total, followings, trust
}
