package main

import (
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/law"
)

// What is known of the lines of a real file besides its beginnings: words that a
// text has in one place only say where they stand, and what stands between the
// beginning of a text and the last of them belongs to it.

const (
	belongs = anything &^ (1<<(label.Furniture+1) - 1) &^ label.Begins // to a text
	loose   = chain.Mask(1<<(label.Furniture+1) - 1)
)

// anchor narrows what lines from..to, which begin a text at from, may be.
func (e *example) anchor(from, to int) {
	end := from
	for i := from + 1; i < to; i++ {
		switch anchor, ok := anchored(e.lines[i].Text()); {
		case ok && anchor == label.Rubric:
			to = i // the gazette's from here on
		case ok:
			e.narrow(i, 1<<anchor|1<<label.Paragraph) // it may be quoted
			end = i
		}
	}
	if end == from { // an act in short: its first sentence is its own
		for end = from; end+1 < to && end < from+3 && !strings.HasSuffix(e.lines[end].Text(), "."); {
			end++
		}
	}
	for i := from + 1; i <= end && i < to; i++ {
		e.narrow(i, belongs)
	}
}

// narrow leaves a line only labels of a mask, where any is left.
func (e *example) narrow(i int, mask chain.Mask) {
	if m := e.Masks[i] & mask; m != 0 {
		e.Masks[i] = m
	}
}

// anchored tells what a line is by words that stand in one place of a text only.
func anchored(text string) (label.Label, bool) {
	words := strings.FieldsFunc(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) < 2 {
		return 0, false
	}
	switch w := words[0]; {
	case (w == "article" || w == "art") && (unicode.IsDigit(rune(words[1][0])) || words[1] == "premier" || words[1] == "unique"):
		return label.Article, true
	case w == "vu" && len(words) > 2:
		return label.Visa, true
	case w == "fait" && (words[1] == "a" || words[1] == "au"):
		return label.PlaceLine, true
	case (w == "ministere" || w == "ministeres") && text == strings.ToUpper(text):
		return label.Rubric, true
	}
	return 0, false
}

// anchorAll narrows the lines of all texts of the file, and takes running heads
// from where no page begins or ends.
func (e *example) anchorAll() {
	for n, at := range e.begins {
		to := len(e.lines)
		if n+1 < len(e.begins) {
			to = e.begins[n+1][0]
		}
		if from := at[len(at)-1]; from < to {
			e.anchor(from, to)
			e.anchorCount(from, to)
		}
	}
	for i := range e.lines {
		if !edge(e.lines, i) {
			e.narrow(i, anything&^(1<<label.Furniture))
		}
	}
}

// edge tells of the two first and the two last lines of a page.
func edge(lines []layout.Line, i int) bool {
	return i < 2 || i+2 >= len(lines) || lines[i-2].Page != lines[i].Page || lines[i+2].Page != lines[i].Page
}

// anchorCount takes the lines of a text that read as heads of articles for such
// where their numbers are one, two, three … up to the last, each of them once: a
// wording that is quoted would come between, or twice.
func (e *example) anchorCount(from, to int) {
	var at []int
	for i := from + 1; i < to && i < len(e.lines); i++ {
		if anchor, ok := anchored(e.lines[i].Text()); !ok || anchor != label.Article {
			continue
		}
		if at = append(at, i); numberOf(e.lines[i].Text()) != len(at) {
			return
		}
	}
	if len(at) < 2 {
		return // one alone may be a quotation
	}
	for _, i := range at {
		e.narrow(i, 1<<label.Article)
	}
}

// numberOf is the number of an article at the beginning of a line, 0 for none that
// is plain.
func numberOf(text string) int {
	words := strings.FieldsFunc(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) < 2 {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSuffix(words[1], "er"))
	if words[1] == "premier" {
		return 1
	}
	if err != nil {
		return 0
	}
	return n
}
