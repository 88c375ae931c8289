package segment

import (
	"maps"
	"slices"
	"strings"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
)

// This file gives training and evaluation (lab) the steps between pages and texts, so that they need no copies of these
// steps. No program calls it.

// Standard returns the cutter with the weights and the judgment that come with the program.
func Standard() Cutter {
	j := standardJudgment()
	return Cutter{Model: standardModel(), Judgment: &j}
}

// Observation is the lines of a file, with the features that the model sees.
type Observation struct {
	Lines []layout.Line // in reading order, without footnotes and the English side
	Items []chain.Item
}

// Observe prepares the lines of an arranged file as Split does, and returns their features for training the
// model.
func Observe(pages []layout.Page) Observation {
	ready := prepare(pages)
	return Observation{Lines: printed(ready.lines), Items: featuresOf(ready.lines)}
}

// Marks returns the label of each line of an arranged file and its probability, in the order of Observe.
func (c Cutter) Marks(pages []layout.Page) []Mark {
	ready := prepare(pages)
	m, _ := c.reread(c.Model.Score(featuresOf(ready.lines)), ready.lines, ready.pages, Hints{})
	out := make([]Mark, len(ready.lines))
	for i, l := range ready.lines {
		out[i] = Mark{Line: l.Line, Label: m.labels[i], Probability: m.path.Prob(i, int(m.labels[i]))}
	}
	return out
}

// Mark is a line and its label.
type Mark struct {
	Line        layout.Line
	Label       Label
	Probability float64
}

// Trial is a reading that differs from the chain's own by one change, and the features of this change.
type Trial struct {
	Features map[string]float64 // by RereadingNames
	Issue    Issue
}

// Trials returns the reading of an arranged file that the chain alone gives, and all readings that are tried
// from it, for training the choice among them.
func (c Cutter) Trials(pages []layout.Page, hints Hints) (plain Issue, trials []Trial) {
	hints.Edits = nil
	ready := prepare(pages)
	scored := c.Model.Score(featuresOf(ready.lines))
	first := markScored(scored, ready.lines, nil)
	r := c.rereader(scored, ready.lines, ready.pages, hints, first)
	at := r.firstReading(first)
	issue := func(m marked) Issue {
		mending, _ := startMending(pages, hints, c.Split)
		mending.remember(ready.lines, m)
		return c.issueOf(mending, ready, ready.lines, m, nil)
	}
	for _, t := range r.trials(at, c.judgment()) {
		if again, ok := r.try(at, t.proposal); ok {
			trials = append(trials, Trial{t.features, issue(again.marked)})
		}
	}
	return issue(first.marked), trials
}

// Counting holds the lines of one text that read as heads of articles, for training the choice among them.
type Counting struct {
	Lines []layout.Line
	all   []candidate
}

// Counting returns the candidates that Split chooses among, for each text of an arranged file that has any.
func (c Cutter) Counting(pages []layout.Page) []Counting {
	ready := prepare(pages)
	m := markScored(c.Model.Score(featuresOf(ready.lines)), ready.lines, nil).marked
	var out []Counting
	for _, s := range m.bodies(ready.lines) {
		from := s.from + s.head.lines
		b := body{lines: ready.lines[from:s.own], views: m.lineViews(from, s.own), code: s.head.makesCode()}
		b.quoted, b.awaited = quoted(b.lines), awaited(b.lines)
		all := b.candidates()
		if len(all) == 0 {
			continue
		}
		c.judgment().choose(all)
		n := Counting{all: all}
		for _, a := range all {
			n.Lines = append(n.Lines, b.lines[a.line].Line)
		}
		out = append(out, n)
	}
	return out
}

// Followings returns the names of the ways in which article numbers follow one another, then the names of the signs of
// a candidate.
func Followings() []string { return append(slices.Clone(followingNames[:]), signNames[:]...) }

// Choose returns the indexes of the lines that j takes for heads.
func (c Counting) Choose(j Judgment) []int { return j.choose(c.all) }

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
func (c Counting) Score(j Judgment, i, last int) float64 { return j.score(c.all[i], c.last(last)) }

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
func (c Counting) Sums(j Judgment) (before, after []float64, total float64) {
	s := j.sums(c.all)
	return s.before, s.after, s.total
}

// HiddenHead is the head of an article, with the lines from the head before it to the head after it. Training hides the
// head to learn how to find it.
type HiddenHead struct {
	b      body
	at     int // index of its line among those of the body
	from   int // index of the head before it
	to     int // index of the head after it
	number int
	end    int
}

// HiddenHeads returns the heads of an arranged file that Split reads, if the heads before and after have the
// previous and the next number.
func (c Cutter) HiddenHeads(pages []layout.Page) []HiddenHead {
	ready := prepare(pages)
	m := markScored(c.Model.Score(featuresOf(ready.lines)), ready.lines, nil).marked
	var out []HiddenHead
	for _, s := range m.bodies(ready.lines) {
		from := s.from + s.head.lines
		b := body{lines: ready.lines[from:s.own], views: m.lineViews(from, s.own), code: s.head.makesCode()}
		b.quoted, b.awaited = quoted(b.lines), awaited(b.lines)
		chosen := b.countHeads(c.judgment())
		at := slices.Sorted(maps.Keys(chosen))
		for k := 1; k+1 < len(at); k++ {
			before, ok := heads.Plain(chosen[at[k-1]].Number)
			n, ok2 := heads.Plain(chosen[at[k]].Number)
			behind, ok3 := heads.Plain(chosen[at[k+1]].Number)
			_, end, reads := b.lines[at[k]].article("")
			if ok && ok2 && ok3 && reads && before+1 == n && behind == n+1 {
				out = append(out, HiddenHead{b, at[k], at[k-1], at[k+1], n, end})
			}
		}
	}
	return out
}

// Head returns the head as it was read, with the signs after it: « Art. 5. — ».
func (h HiddenHead) Head() string { return h.b.lines[h.at].text[:h.end] }

// hide returns the lines from the head before up to the next one, with other words in place of the hidden head.
func (h HiddenHead) hide(head string) body {
	b := body{lines: slices.Clone(h.b.lines[h.from:h.to]), quoted: h.b.quoted[h.from:h.to]}
	l := &b.lines[h.at-h.from]
	l.text, l.mended = strings.TrimSpace(head+l.text[h.end:]), heads.Head{}
	return b
}

// Rows returns the features of the lines between the two other heads, after the head was replaced by other
// words: one row per line, in the order of heads.ObscuredNames. right is the index of the row of the hidden head,
// -1 if it has none. If the new words still read as the head, there are no rows.
func (h HiddenHead) Rows(head string) (rows [][]float64, right int) {
	b := h.hide(head)
	if heads.StillReads(b.lines[h.at-h.from].text, h.number) {
		return nil, 0
	}
	lines := make([]heads.Line, len(b.lines))
	for i := range lines {
		lines[i] = b.seenLine(i)
	}
	rows, at := heads.Rows(lines, h.number)
	return rows, slices.Index(at, h.at-h.from)
}
