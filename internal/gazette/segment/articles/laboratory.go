package articles

import (
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
)

// Counting holds the lines of one text that read as heads of articles, for training the choice among them.
type Counting struct {
	Lines []layout.Line
	all   []candidate
}

// NewCounting returns the candidates of a text's lines, after its title; ok is false if there are none.
func NewCounting(lines []line.Line, views []label.View, code bool, j judgment.Judgment) (n Counting, ok bool) {
	b := Body{Lines: lines, Views: views, Quoted: line.InQuotes(lines), awaited: line.AwaitedHeads(lines), code: code}
	n.all = b.candidates()
	choose(j, n.all)
	for _, a := range n.all {
		n.Lines = append(n.Lines, lines[a.line].Line)
	}
	return n, len(n.all) > 0
}

// Followings returns the names of the ways in which article numbers follow one another, then the names of the signs of
// a candidate.
func Followings() []string { return append(slices.Clone(followingNames[:]), signNames[:]...) }

// Choose returns the indexes of the lines that j takes for heads.
func (c Counting) Choose(j judgment.Judgment) []int { return choose(j, c.all) }

// CandidateReach is the maximum number of candidates in a row that Choose passes over.
const CandidateReach = candidateReach

// last returns the candidate of an index, nil for -1.
func (c Counting) last(i int) *candidate {
	if i < 0 {
		return nil
	}
	return &c.all[i]
}

// Score returns the log-odds by j that line i is a head, given that the head before it is line last, or that there is
// none if last is -1.
func (c Counting) Score(j judgment.Judgment, i, last int) float64 {
	return score(j, c.all[i], c.last(last))
}

// Weighed returns what Score weighs: the log-odds by the chain, with weight Trust, and the names of the following and
// of the signs, each with its weight in Numbering.
func (c Counting) Weighed(i, last int) (logit float64, names []string) {
	a := c.all[i]
	names = append(names, followingNames[a.follows(c.last(last))])
	for _, s := range a.signs {
		names = append(names, signNames[s])
	}
	return a.logit, names
}

// Sums sums exp(score) over choices of heads, and returns logarithms of the sums: for each line over the choices that
// end with this line, for each line over the choices of what follows it, and over all choices.
func (c Counting) Sums(j judgment.Judgment) (previous, following []float64, total float64) {
	s := sumChoices(j, c.all)
	return s.before, s.after, s.total
}
