package articles

import (
	"maps"
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
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

// HiddenHead is the head of an article, with the lines from the head before it to the head after it. Training hides the
// head to learn how to find it.
type HiddenHead struct {
	b      Body
	at     int // index of its line among those of the body
	from   int // index of the head before it
	to     int // index of the head after it
	number int
	end    int
}

// HiddenHeads returns the heads that are read among a text's lines, after its title, if the heads before and after have
// the previous and the next number.
func HiddenHeads(lines []line.Line, views []label.View, code bool, j judgment.Judgment) []HiddenHead {
	b := Body{Lines: lines, Views: views, Quoted: line.InQuotes(lines), awaited: line.AwaitedHeads(lines), code: code}
	chosen := b.countHeads(j)
	positions := slices.Sorted(maps.Keys(chosen))
	var out []HiddenHead
	for k := 1; k+1 < len(positions); k++ {
		previous, ok := heads.Plain(chosen[positions[k-1]].Number)
		n, ok2 := heads.Plain(chosen[positions[k]].Number)
		lag, ok3 := heads.Plain(chosen[positions[k+1]].Number)
		_, end, reads := b.Lines[positions[k]].Article("")
		if ok && ok2 && ok3 && reads && previous+1 == n && lag == n+1 {
			out = append(out, HiddenHead{b, positions[k], positions[k-1], positions[k+1], n, end})
		}
	}
	return out
}

// Head returns the head as it was read, with the signs after it: « Art. 5. — ».
func (h HiddenHead) Head() string { return h.b.Lines[h.at].Text[:h.end] }

// hide returns the lines from the head before up to the next one, with other words in place of the hidden head.
func (h HiddenHead) hide(head string) Body {
	b := Body{Lines: slices.Clone(h.b.Lines[h.from:h.to]), Quoted: h.b.Quoted[h.from:h.to]}
	l := &b.Lines[h.at-h.from]
	l.Text, l.Repaired = strings.TrimSpace(head+l.Text[h.end:]), heads.Head{}
	return b
}

// Rows returns the features of the lines between the two other heads, after the head was replaced by other
// words: one row per line, in the order of heads.ObscuredNames. right is the index of the row of the hidden head,
// -1 if it has none. If the new words still read as the head, there are no rows.
func (h HiddenHead) Rows(head string) (rows [][]float64, right int) {
	b := h.hide(head)
	if heads.StillReads(b.Lines[h.at-h.from].Text, h.number) {
		return nil, 0
	}
	lines := make([]heads.Line, len(b.Lines))
	for i := range lines {
		lines[i] = b.seenLine(i)
	}
	rows, positions := heads.Rows(lines, h.number)
	return rows, slices.Index(positions, h.at-h.from)
}
