package segment

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Recognition may garble the head of an article so much that no line reads as one: « (at 23, — »,
// « rAilicfe.S : ». Where the numbering skips a number between two heads, the lines between these heads are
// searched once more for the line that was printed as « Art. 23 ». Lines elsewhere are not, because any
// sentence may resemble a head.

// obscuredData is the Obscured that scripts/train heads wrote.
//
//go:embed obscured.json
var obscuredData []byte

// Obscured finds heads that are hard to read. It is a conditional logit model of the choice among the lines
// between two heads whose numbers leave one out, and none of these lines.
type Obscured struct {
	// Provenance says what the model was learned from.
	Provenance string
	// Weights are those of the features of a line, by the names of ObscuredNames. Bias is the log-odds
	// without any.
	Weights map[string]float64
	Bias    float64
	// Threshold is the minimum probability with which a line is taken for the head.
	Threshold float64
}

var standardObscured = sync.OnceValue(func() Obscured {
	o, err := ReadObscured(obscuredData)
	if err != nil {
		panic(err) // it is embedded: every test reads it
	}
	return *o
})

// ReadObscured reads what scripts/train heads wrote. The error is that of encoding/json.
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

// obscuredHead is a line that is taken for a head.
type obscuredHead struct {
	number string
	end    int // byte at which the head ends
}

// mostObscured is the maximum number of missing numbers in a row that are searched for. If more are missing, pages are
// missing or the number of another text was read.
const mostObscured = 9

// mostAsked is the maximum number of lines between two heads that are searched, about eight pages. Without a
// limit, files with long articles would take too long.
const mostAsked = 400

// obscuredIn finds the heads that are missing between the given ones.
func (b *body) obscuredIn(heads map[int]string, o Obscured) map[int]obscuredHead {
	out := map[int]obscuredHead{}
	last, number := -1, 0
	for _, i := range slices.Sorted(maps.Keys(heads)) {
		n, ok := plainNumber(heads[i])
		if last >= 0 && ok && number > 0 && n > number+1 && n <= number+1+mostObscured {
			maps.Copy(out, b.between(last, i, number+1, n-1, o))
		}
		if last, number = i, n; !ok {
			number = 0
		}
	}
	return out
}

// plainNumber returns the number of an article that has neither letter nor suffix.
func plainNumber(number string) (int, bool) {
	number = strings.TrimSuffix(number, "er")
	n, err := strconv.Atoi(number)
	return n, err == nil
}

// between finds the heads of articles first to last among the lines between two other heads. A line is taken
// if it is probably the head, and probably of that number, so that no line gets two numbers and no number
// gets two lines. If the order of the lines is not that of their numbers, it finds none.
func (b *body) between(from, to, first, last int, o Obscured) map[int]obscuredHead {
	if to-from > mostAsked {
		return nil
	}
	var lines []int
	for i := from + 1; i < to; i++ {
		if mayBeObscured(b.lines[i], b.quoted[i]) {
			lines = append(lines, i)
		}
	}
	word, out := wordOf(b.lines[from].text), map[int]obscuredHead{}
	odds, ends := make([][]float64, last-first+1), make([][]int, last-first+1) // by number and line
	ofLine := make([]float64, len(lines))                                      // sum over all numbers
	for k := range odds {
		odds[k], ends[k] = make([]float64, len(lines)), make([]int, len(lines))
		for j, i := range lines {
			var seen []float64
			seen, ends[k][j] = seenAs(b.lines[i-1], b.lines[i], first+k, word)
			odds[k][j] = math.Exp(o.odds(seen))
			ofLine[j] += odds[k][j]
		}
	}
	behind := -1
	for k := range odds {
		for j, p := range chancesOf(odds[k]) {
			if p*odds[k][j]/ofLine[j] < o.Threshold {
				continue
			}
			if j < behind {
				return nil
			}
			behind, out[lines[j]] = j, obscuredHead{strconv.Itoa(first + k), ends[k][j]}
		}
	}
	return out
}

// chancesOf returns the probability of each alternative, given its odds against none of them: odds / (1 + sum
// of all odds).
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

// mayBeObscured reports whether a line that reads as nothing else may be a head that is hard to read.
// countHeads has considered the heads that can be read, and lines in quotation marks belong to another text.
func mayBeObscured(l line, quoted bool) bool {
	_, _, reads := l.article("")
	_, heading := l.heading()
	first, _ := firstRune(l.text)
	return !reads && !heading && !quoted && !strings.ContainsRune("«“\"", first)
}

// odds returns the log-odds that a line with the features seen is the head, against none of the lines being
// it.
func (o Obscured) odds(seen []float64) float64 {
	z := o.Bias
	for k, name := range ObscuredNames() {
		z += o.Weights[name] * seen[k]
	}
	return z
}

// wordOf returns the word by which a text names its articles: « art » or « article ».
func wordOf(head string) string {
	if word := lettersLike(firstWord(head)); len(word) > 4 {
		return "article"
	}
	return "art"
}

// headReach is the maximum number of letters and digits of a line that may belong to a head, in at most
// mostTokens words.
const (
	headReach  = 14
	mostTokens = 3
)

// seenAs returns the features of a line as the head of article number, in the order of ObscuredNames, and the
// byte at which this head would end.
func seenAs(prev, l line, number int, word string) (seen []float64, end int) {
	wordOff, numberOff, end := spelled(l.text, word, strconv.Itoa(number))
	rest := l.text[end:]
	behind := strings.TrimLeft(rest, " .:;,-–—_°)*'’")
	sign := strings.ContainsAny(rest[:len(rest)-len(behind)], ".:;,-–—_")
	first, _ := utf8.DecodeRuneInString(l.text)
	seen = []float64{
		wordOff, numberOff, wordOff * numberOff, oneIf(numberOff > 0 && otherNumber.MatchString(l.text[:end])),
		oneIf(sign), oneIf(behind == "" || startsBig(behind)), oneIf(!isLetter(first)),
		oneIf(l.opens || l.mid), oneIf(ended(prev.text) || short(prev) || prev.Page != l.Page || prev.Column != l.Column),
	}
	return seen, len(l.text) - len(behind)
}

// otherNumber matches a number after a word.
var otherNumber = law.Pattern(`\p{L}\W*\d+$`)

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// spelled returns how much the beginning of a line differs from a word and a number, each as a share of its
// letters, and the byte at which this beginning ends. It ends with a word of the line, the one for which the
// sum of both shares is least.
func spelled(text, word, number string) (wordOff, numberOff float64, end int) {
	wordOff, numberOff = 1, 1
	var read []rune
	tokens := 0
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			read = append(read, r)
		}
		if len(read) > headReach {
			break
		}
		at := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(text[at:])
		if inWord(next) || !inWord(r) {
			continue
		}
		if tokens++; tokens > mostTokens {
			break
		}
		for part := range len(read) + 1 {
			w := min(1, float64(slipsOf(lettersLike(string(read[:part])), word))/float64(len(word)))
			n := min(1, float64(slipsOf(likeFigures(read[part:]), number))/float64(len(number)))
			if w+n < wordOff+numberOff {
				wordOff, numberOff, end = w, n, at
			}
		}
	}
	return wordOff, numberOff, end
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// likeFigures replaces letters by the digits that they resemble.
func likeFigures(read []rune) string {
	var b strings.Builder
	for _, r := range read {
		if f, ok := figureLike[r]; ok {
			r = f
		}
		b.WriteRune(r)
	}
	return b.String()
}
