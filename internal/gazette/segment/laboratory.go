package segment

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/edits"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
)

// This file gives training and evaluation (lab) the steps between pages and texts, so that they need no copies of these
// steps. No program calls it.

// Standard returns the cutter with the weights and the judgment that come with the program.
func Standard() Cutter {
	j := judgment.Standard()
	return Cutter{Model: label.StandardModel(), Judgment: &j}
}

// Observation is the lines of a file, with the features that the model sees.
type Observation struct {
	Lines []layout.Line // in reading order, without footnotes and the English side
	Items []chain.Item
}

// Observe prepares the lines of an arranged file as Split does, and returns their features for training the
// model.
func Observe(pages []layout.Page) Observation {
	ready := prepare.Pages(pages)
	return Observation{Lines: line.LayoutOf(ready.Lines), Items: label.Features(ready.Lines)}
}

// Marks returns the label of each line of an arranged file and its probability, in the order of Observe.
func (c Cutter) Marks(pages []layout.Page) []Mark {
	ready := prepare.Pages(pages)
	m, _ := c.reread(c.Model.Score(label.Features(ready.Lines)), ready.Lines, ready.Pages, gazette.Hints{})
	out := make([]Mark, len(ready.Lines))
	for i, l := range ready.Lines {
		out[i] = Mark{Line: l.Line, Label: m.Labels[i], Probability: m.Path.Prob(i, int(m.Labels[i]))}
	}
	return out
}

// Mark is a line and its label.
type Mark struct {
	Line        layout.Line
	Label       label.Label
	Probability float64
}

// Trial is a reading that differs from the chain's own by one change, and the features of this change.
type Trial struct {
	Features map[string]float64 // by RereadingNames
	Issue    gazette.Issue
}

// Trials returns the reading of an arranged file that the chain alone gives, and all readings that are tried
// from it, for training the choice among them.
func (c Cutter) Trials(pages []layout.Page, hints gazette.Hints) (plain gazette.Issue, trials []Trial) {
	hints.Edits = nil
	ready := prepare.Pages(pages)
	scored := c.Model.Score(label.Features(ready.Lines))
	first := label.Assign(scored, ready.Lines, nil)
	r := c.rereader(scored, ready.Lines, ready.Pages, hints, first)
	reading := r.firstReading(first)
	issue := func(m label.Labeling) gazette.Issue {
		applier, _ := edits.Start(pages, hints, c.Split)
		applier.Remember(ready.Lines, m)
		return c.issueOf(applier, ready, ready.Lines, m, nil)
	}
	for _, t := range r.trials(reading, c.judgment()) {
		if again, ok := r.try(reading, t.proposal); ok {
			trials = append(trials, Trial{t.features, issue(again.Labeling)})
		}
	}
	return issue(first.Labeling), trials
}

// Counting returns the candidates that Split chooses among, for each text of an arranged file that has any.
func (c Cutter) Counting(pages []layout.Page) []articles.Counting {
	var out []articles.Counting
	c.eachBody(pages, func(lines []line.Line, views []label.View, code bool) {
		if n, ok := articles.NewCounting(lines, views, code, c.judgment()); ok {
			out = append(out, n)
		}
	})
	return out
}

// eachBody calls f with the lines of each text of an arranged file, after its title, as the chain alone cuts the file.
func (c Cutter) eachBody(pages []layout.Page, f func(lines []line.Line, views []label.View, code bool)) {
	ready := prepare.Pages(pages)
	m := label.Assign(c.Model.Score(label.Features(ready.Lines)), ready.Lines, nil).Labeling
	for _, s := range m.Texts(ready.Lines) {
		start := s.From + s.Title.Lines
		f(ready.Lines[start:s.Own], m.Views(start, s.Own), s.Title.MakesCode())
	}
}
