package question

import (
	_ "embed" // how often languages have which letters
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"vigueur/internal/law"
)

// Language is what a question is written in.
type Language string

// The languages that are told apart: those that people of the countries whose law the
// catalogue has write in. Unknown is any other, or too little to tell.
const (
	French  Language = "fr"
	English Language = "en"
	Wolof   Language = "wo"
	Arabic  Language = "ar"
	Unknown Language = ""
)

// Latin are those that the letters tell apart, French first.
var Latin = [...]Language{French, English, Wolof}

//go:embed languages.tsv
var languagesText string

// Letters tells languages by how often they have which three letters in a row, the
// blank between words counting as one. It was learned from one text in all of
// them, the Universal Declaration of Human Rights (scripts/train language).
type Letters struct {
	// Counts has of each three letters how often each language has them.
	Counts map[string][len(Latin)]float64
	// Apart is how much likelier, as a logarithm, another language must be than
	// French: so much that of French questions one in a thousand is taken for none.
	Apart float64
}

var letters = sync.OnceValue(func() Letters {
	l := Letters{Counts: make(map[string][len(Latin)]float64)}
	for line := range strings.Lines(languagesText) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case fields[0] == "apart":
			l.Apart = number(fields[1])
		default:
			var counts [len(Latin)]float64
			for i := range counts {
				counts[i] = number(fields[1+i])
			}
			l.Counts[fields[0]] = counts
		}
	}
	return l
})

func number(field string) float64 {
	n, err := strconv.ParseFloat(field, 64)
	if err != nil {
		panic(err) // the table is the program's own
	}
	return n
}

// Triples returns the three letters in a row of a text in small letters, with one blank
// for whatever is no letter.
func Triples(text string) (out []string) {
	var run []rune
	blank := true
	run = append(run, ' ')
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			run, blank = append(run, r), false
		case !blank:
			run, blank = append(run, ' '), true
		}
	}
	if !blank {
		run = append(run, ' ')
	}
	for i := 0; i+3 <= len(run); i++ {
		out = append(out, string(run[i:i+3]))
	}
	return out
}

// Likelier returns the language other than French that a text is likeliest in, and how
// much likelier than French that is, as a logarithm.
func (l Letters) Likelier(text string) (other Language, by float64) {
	const unseen = 0.5 // added to each count: what a text of some pages did not have may be
	var sums, totals [len(Latin)]float64
	for _, counts := range l.Counts {
		for i, n := range counts {
			totals[i] += n + unseen
		}
	}
	for _, t := range Triples(text) {
		counts := l.Counts[t]
		for i := range sums {
			sums[i] += math.Log((counts[i] + unseen) / totals[i])
		}
	}
	by = math.Inf(-1)
	for i := 1; i < len(Latin); i++ {
		if d := sums[i] - sums[0]; d > by {
			other, by = Latin[i], d
		}
	}
	return other, by
}

// languageOf tells the language of a question: by its script where that is one
// language's, else by its letters. French is what is asked here, so that another
// language must be clearly likelier, and what refers to texts is read for what
// stands beside.
func languageOf(text string) Language {
	latin, arabic, other := 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Arabic, r):
			arabic++
		case unicode.IsLetter(r):
			other++
		}
	}
	switch {
	case latin+arabic+other == 0, other > latin+arabic:
		return Unknown
	case arabic > latin:
		return Arabic
	}
	for _, r := range law.References(text) {
		text = text[:r.Start] + strings.Repeat(" ", r.End-r.Start) + text[r.End:]
	}
	if found, by := letters().Likelier(text); by > letters().Apart {
		return found
	}
	return French
}
