package heads

import (
	_ "embed"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Recognition may garble the head of an article so much that no line reads as one: « (at 23, — », « rAilicfe.S : ».
// Where the numbering skips a number between two heads, the lines between these heads are searched once more for the
// line that was printed as « Art. 23 ». Other lines are not searched, because any sentence may resemble a head.

// obscuredData is the Obscured that scripts/train heads wrote.
//
//go:embed obscured.json
var obscuredData []byte

// Obscured finds heads that are hard to read. It is a conditional logit model. Where the numbers of two heads leave one
// out, it chooses one of the lines between these heads, or none of them.
type Obscured struct {
	// Provenance says what the model was learned from.
	Provenance string
	// Weights are the weights of the features of a line, by the names of ObscuredNames. Bias is the log-odds of a line
	// whose features are all zero.
	Weights map[string]float64
	Bias    float64
	// Threshold is the minimum probability with which a line is taken for the head.
	Threshold float64
}

// Standard returns the Obscured that comes with the program.
var Standard = sync.OnceValue(func() Obscured {
	o, err := ReadObscured(obscuredData)
	if err != nil {
		panic(err) // it is embedded: every test reads it
	}
	return *o
})

// ReadObscured reads what scripts/train heads wrote. Its errors come from encoding/json.
func ReadObscured(data []byte) (*Obscured, error) {
	var o Obscured
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
	return &o, nil
}

// ObscuredNames returns the names of the features of a line that may be a head: the share of letters that
// differ from the word, the share of digits that differ from the number, and their product; whether another
// number can be read; whether a sign and a capital follow; whether dirt comes first; whether the line begins
// a paragraph; and whether a sentence ends before it.
func ObscuredNames() []string {
	return []string{"word", "number", "both", "other", "sign", "capital", "dirt", "opens", "ended"}
}

// maxObscured is the maximum number of missing numbers in a row that are searched for. If more are missing, pages
// are missing or the number of another text was read.
const maxObscured = 9

// maxSearched is the maximum number of lines from one head to the next that are searched, about eight pages.
// Without a limit, files with long articles would take too long.
const maxSearched = 400

// FindMissing searches the lines between a text's heads for heads that can hardly be read. found must be in order. It
// searches gaps between two plain numbers, even explained ones, because only the search shows whether a head is there.
// line returns a line of the text.
func (o Obscured) FindMissing(found []Head, line func(i int) Line) (out []Head) {
	count := make([]numbered, len(found))
	for i, h := range found {
		count[i].number = h.Number
	}
	for _, g := range gapsIn(count) {
		if g.Before < 0 || g.Next != g.Before+1 || g.len() > maxObscured {
			continue
		}
		previous, next := found[g.Before], found[g.Next]
		_, ok := Plain(previous.Number)
		_, ok2 := Plain(next.Number)
		if !ok || !ok2 || next.Line-previous.Line > maxSearched {
			continue
		}
		lines := make([]Line, 0, next.Line-previous.Line)
		for i := previous.Line; i < next.Line; i++ {
			lines = append(lines, line(i))
		}
		for _, h := range o.in(g, lines) {
			h.Line += previous.Line
			out = append(out, h)
		}
	}
	return out
}

// in finds the heads of a gap among lines. The first line is the head before the gap. A line is taken if it is probably
// the head, and probably of that number. So no line gets two numbers, and no number gets two lines. If the lines are
// not in the order of their numbers, in finds no head.
func (o Obscured) in(g Gap, lines []Line) (out []Head) {
	word, positions := wordOf(lines[0].Text), mayBeObscured(lines)
	odds, ends := make([][]float64, g.len()), make([][]int, g.len()) // by number and line
	ofLine := make([]float64, len(positions))                        // sum over all numbers
	for k := range odds {
		odds[k], ends[k] = make([]float64, len(positions)), make([]int, len(positions))
		for j, i := range positions {
			var seen []float64
			seen, ends[k][j] = lines[i].seenAs(g.From+k, word)
			odds[k][j] = math.Exp(o.odds(seen))
			ofLine[j] += odds[k][j]
		}
	}
	lag := -1
	for k := range odds {
		for j, p := range chancesOf(odds[k]) {
			if p*odds[k][j]/ofLine[j] < o.Threshold {
				continue
			}
			if j < lag {
				return nil
			}
			lag, out = j, append(out, Head{Line: positions[j], Number: writeNumber(g.From + k), End: ends[k][j]})
		}
	}
	return out
}

// chancesOf returns the probability of each alternative, given the odds of each against the choice of no alternative:
// odds / (1 + sum of all odds).
func chancesOf(odds []float64) []float64 {
	out, sum := make([]float64, len(odds)), 1.0
	for _, o := range odds {
		sum += o
	}
	for i, o := range odds {
		out[i] = o / sum
	}
	return out
}

// mayBeObscured returns the indexes of the lines that may be heads that are hard to read: they read as nothing else. It
// skips the first line, and quoted lines, which belong to another text.
func mayBeObscured(lines []Line) (positions []int) {
	for i := 1; i < len(lines); i++ {
		_, _, reads := Read(lines[i].Text, "")
		first, _ := utf8.DecodeRuneInString(lines[i].Text)
		if !reads && !lines[i].Taken && !strings.ContainsRune("«“\"", first) {
			positions = append(positions, i)
		}
	}
	return positions
}

// odds returns the log-odds that a line with the given features is the head, against no line being the head.
func (o Obscured) odds(seen []float64) float64 {
	z := o.Bias
	for k, name := range ObscuredNames() {
		z += o.Weights[name] * seen[k]
	}
	return z
}

// seenAs returns the features of a line as the head of article number, in the order of ObscuredNames, and the
// byte at which this head would end.
func (l Line) seenAs(number int, word string) (seen []float64, end int) {
	wordOff, numberOff, end := off(l.Text, word, strconv.Itoa(number))
	rest := l.Text[end:]
	tail := strings.TrimLeft(rest, " .:;,-–—_°)*'’")
	sign := strings.ContainsAny(rest[:len(rest)-len(tail)], ".:;,-–—_")
	first, _ := utf8.DecodeRuneInString(l.Text)
	seen = []float64{
		wordOff, numberOff, wordOff * numberOff, oneIf(numberOff > 0 && otherNumber.MatchString(l.Text[:end])),
		oneIf(sign), oneIf(tail == "" || StartsBig(tail)), oneIf(!unicode.IsLetter(first)),
		oneIf(l.Opens || l.Mid), oneIf(l.After),
	}
	return seen, len(l.Text) - len(tail)
}

// otherNumber matches a number after a word.
var otherNumber = law.Pattern(`\p{L}\W*\d+$`)

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
