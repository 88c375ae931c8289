package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/kit/parallel"
	"vigueur/internal/law"
	"vigueur/lab/gazettes"
	"vigueur/lab/house"
	"vigueur/lab/readpages"
	"vigueur/lab/training/labeling"
)

// example is a file to learn from, with what is known of its beginnings.
type example struct {
	labeling.Example
	file   gazettes.File
	lines  []layout.Line
	begins [][]int  // for each text the lines of which one is its first
	whole  bool     // all texts were found
	named  []string // of a made issue: the folded natures of its texts
}

// mostPages is how many pages of a book are learned from: the rest is more of the
// same.
const mostPages = 30

const anything = chain.Mask(1<<label.LabelCount - 1)

// realExamples reads the real files. What is known of a line is whether a text
// begins there.
func realExamples(ctx context.Context, dir, cache string) ([]example, error) {
	files, err := gazettes.Load(dir)
	if err != nil {
		return nil, err
	}
	r := &readpages.Reader{Cache: cache}
	defer r.Close()
	var out []example
	for _, f := range files {
		pages, err := r.Words(ctx, filepath.Join(dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		layout.Arrange(pages)
		o := segment.Observe(pages)
		out = append(out, known(f, o))
	}
	return out, nil
}

// known is what the truth about a file tells of its lines.
func known(f gazettes.File, o segment.Observation) example {
	e := example{file: f, lines: o.Lines, whole: true}
	e.Items = o.Items
	e.Masks = make([]chain.Mask, len(o.Lines))
	for i := range e.Masks {
		e.Masks[i] = anything &^ label.Begins
	}
	headless := false
	first := -1
	for i, b := range gazettes.Begins(o.Lines, f.Texts) {
		t := f.Texts[i]
		switch {
		case t.EndOnly():
			headless = true
		case b < 0:
			e.whole = false
			for j, l := range o.Lines {
				if t.Page == 0 || l.Page == t.Page {
					e.Masks[j] = anything
				}
			}
		default:
			if first < 0 || b < first {
				first = b
			}
			at := gazettes.Same(o.Lines, b, t)
			for _, j := range at {
				e.Masks[j] = anything
			}
			if len(at) == 1 {
				e.Masks[b] = label.Begins
			}
			e.begins = append(e.begins, at)
		}
	}
	if !headless && e.whole {
		for j := range max(first, 0) {
			if e.Masks[j] == anything&^label.Begins {
				e.Masks[j] = loose // what is before the first text is no text's
			}
		}
	}
	slices.SortFunc(e.begins, func(a, b []int) int { return a[0] - b[0] })
	if e.whole {
		e.anchorAll()
	}
	e.cut()
	return e
}

// cut leaves the later pages of a book away.
func (e *example) cut() {
	for i, l := range e.lines {
		if l.Page <= e.lines[0].Page+mostPages {
			continue
		}
		for _, at := range e.begins {
			if at[len(at)-1] >= i {
				return // an issue: texts begin further on
			}
		}
		e.lines, e.Items, e.Masks = e.lines[:i], e.Items[:i], e.Masks[:i]
		return
	}
}

// judge counts the beginnings that a model finds in the file.
func (e example) judge(m *chain.Model) tally {
	t := tally{loss: labeling.Loss(m, e.Example)}
	if !e.whole {
		return t
	}
	begins := map[int]bool{}
	for i, l := range m.Score(e.Items).Best(nil) {
		if label.Begins&(1<<l) != 0 {
			begins[i] = true
		}
	}
	t.there = len(e.begins)
	for _, at := range e.begins {
		for _, i := range at {
			if begins[i] {
				t.found++
				delete(begins, i)
				break
			}
		}
	}
	t.invented = len(begins)
	return t
}

// madeExamples makes issues of every house style, and as many of styles that are
// drawn from them, worn in every way. The learnings' own follow seeds of their own.
func (o options) madeExamples(learning int) []example {
	n, print := o.made, func(s house.Style) house.Style { return s }
	if o.announcements {
		print = house.Style.Announcing
	}
	styles := house.Styles()
	out := make([]example, 2*n*len(styles))
	parallel.Each(n*len(styles), func(i int) {
		seed := uint64(learning)*seedsApart + uint64(i)
		out[2*i] = madeExample(house.Make(print(styles[i%len(styles)]), seed, house.Worn(seed)))
		out[2*i+1] = madeExample(house.Make(print(house.Drawn(seed)), seed, house.Worn(seed+1)))
	})
	return out
}

// madeExample is an issue whose lines are all known.
func madeExample(issue house.Issue) example {
	layout.Arrange(issue.Pages)
	o := segment.Observe(issue.Pages)
	e := example{lines: o.Lines}
	e.Items, e.Masks = o.Items, make([]chain.Mask, len(o.Lines))
	for _, t := range issue.Texts {
		e.named = append(e.named, law.Fold(t.Nature))
	}
	owner := -1
	for i, l := range o.Lines {
		label, own, ok := issue.LineLabel(l)
		if !ok {
			continue
		}
		e.Masks[i] = maskOf(label, own != owner)
		if label == house.Head || label == house.Abridged {
			owner = own
		}
	}
	return e
}

// maskOf is the label of the model for a line of a made issue. A bill may be read as no
// text or as a title and paragraphs, which are set aside once the whole issue is read: nothing
// else, or what its lines were taken for would be learned from itself.
func maskOf(drawn house.Label, fresh bool) chain.Mask {
	name := string(drawn)
	switch {
	case drawn == house.Bill:
		return loose | 1<<label.Head | 1<<label.Title
	case drawn == house.Draft:
		return loose | 1<<label.Paragraph
	case drawn == house.Head && !fresh:
		name = label.Title.String()
	case drawn == house.Abridged && !fresh:
		name = label.Paragraph.String()
	}
	l, ok := labelOf(name)
	if !ok {
		return 0
	}
	return 1 << l
}

// labelOf returns the label with a name.
func labelOf(name string) (l label.Label, ok bool) {
	for l = range label.Label(label.LabelCount) {
		if l.String() == name {
			return l, true
		}
	}
	return 0, false
}

// looseLabel reports whether a line with the label belongs to no text.
func looseLabel(l label.Label) bool { return loose&(1<<l) != 0 }

// barred reports whether label b never comes right after label a. A title continues only a head or a title;
// lines of a body need a text that they belong to; and a title is followed by lines of its body. A file may
// begin in the middle of a text.
func barred(a, b int) bool {
	from, to := label.Label(a), label.Label(b)
	titled := from == label.Head || from == label.Title
	switch {
	case to == label.Title:
		return !titled
	case looseLabel(to) || label.Begins&(1<<b) != 0:
		return titled
	}
	return looseLabel(from) && from != label.Furniture // running heads may be printed anywhere
}
