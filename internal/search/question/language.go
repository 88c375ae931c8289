package question

import (
	_ "embed" // frequencies of letters in several languages
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// Language is the language of a question.
type Language string

// The languages that are distinguished: those in which people write in the countries whose law the catalogue
// contains. Unknown is any other language, or a text too short to say.
const (
	French  Language = "fr"
	English Language = "en"
	Wolof   Language = "wo"
	Arabic  Language = "ar"
	Unknown Language = ""
)

// Latin lists the languages that are distinguished by their letters, French first.
var Latin = [...]Language{French, English, Wolof}

//go:embed languages.tsv
var languagesText string

// Letters distinguishes languages by the frequencies of letter trigrams, in which any run of other characters
// counts as one blank. scripts/train language learned the frequencies from one text in all these languages,
// the Universal Declaration of Human Rights.
type Letters struct {
	// Counts holds how often each trigram occurs in each language.
	Counts map[string][len(Latin)]float64
	// Apart is the log-likelihood ratio from which on a text is in another language than French. It is chosen
	// so that this is wrong for one of a thousand French questions.
	Threshold float64
}

var letters = sync.OnceValue(func() Letters {
	l := Letters{Counts: make(map[string][len(Latin)]float64)}
	for line := range strings.Lines(languagesText) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case fields[0] == "apart":
			l.Threshold = mustNumber(fields[1])
		default:
			var counts [len(Latin)]float64
			for i := range counts {
				counts[i] = mustNumber(fields[1+i])
			}
			l.Counts[fields[0]] = counts
		}
	}
	return l
})

func mustNumber(field string) float64 {
	n, err := strconv.ParseFloat(field, 64)
	if err != nil {
		panic(err) // the table is embedded
	}
	return n
}

// Triples returns the letter trigrams of a text in lower case. Each run of other characters becomes one
// blank.
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

// Likelier returns the language other than French with the highest likelihood, and its log-likelihood ratio
// to French.
func (l Letters) Likelier(text string) (other Language, by float64) {
	const unseen = 0.5 // added to each count, because other texts have trigrams that this one lacks
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

// languageOf returns the language of a question: that of its script if the script belongs to one language,
// else the one that its letters show. Questions are usually French, so another language must be clearly
// likelier. References to texts are left out, because they are French in any language.
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
	if found, by := letters().Likelier(text); by > letters().Threshold && !(found == English && accented.MatchString(text)) {
		return found
	}
	return French
}

// accented matches a word in lower case with an accent, which no English word has but a name (« Côte d’Ivoire »).
var accented = lazyre.New(`(?:^|[^\pL])\p{Ll}*[àâçèéêëîïôùûœ]`)
