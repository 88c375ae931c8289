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

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// Recognition may leave so little of the head of an article that no line reads as one:
// « (at 23, — », « rAilicfe.S : ». Where the count leaves a number out between two others
// the lines between these are asked once more, each how likely it is what was printed as
// « Art. 23 ». Nowhere else are they: a sentence may look like anything.

// What was learned of such heads, by scripts/train heads.
//
//go:embed obscured.json
var obscuredData []byte

// Obscured is what was learned of heads that can hardly be read: a choice (conditional
// logit) among the lines between two heads whose numbers leave one out, and none of them.
type Obscured struct {
	// Provenance says what it was learned from.
	Provenance string
	// Weights of what is seen of a line, a weight a name of ObscuredNames; Bias without any.
	Weights map[string]float64
	Bias    float64
	// Threshold is the probability from which on a line is taken for the head.
	Threshold float64
}

var standardObscured = sync.OnceValue(func() Obscured {
	o, err := ReadObscured(obscuredData)
	if err != nil {
		panic(err) // it is embedded: every test reads it
	}
	return *o
})

// ReadObscured reads what scripts/train heads has written; the error is that of the JSON.
func ReadObscured(data []byte) (*Obscured, error) {
	var o Obscured
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
	return &o, nil
}

// ObscuredNames lists what is seen of a line that may be a head: the share of letters that
// differ from the word's and of figures that differ from the number's, both together;
// whether another number can be read, whether a sign and a capital stand behind them and
// dirt before, whether the line begins a paragraph, and whether a sentence ends before it.
func ObscuredNames() []string {
	return []string{"word", "number", "both", "other", "sign", "capital", "dirt", "opens", "ended"}
}

// obscuredHead is a line that is taken for a head.
type obscuredHead struct {
	number string
	end    int // of the head, in bytes
}

// mostObscured is how many numbers in a row are looked for: where more are left out pages
// are missing, or another text's number was read.
const mostObscured = 9

// mostAsked is between how many lines they are looked for, eight pages: the time that a
// file takes is bounded however long its articles are.
const mostAsked = 400

// obscuredIn finds the heads that a choice leaves out between those it has.
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

// plainNumber is the number of an article that is nothing else.
func plainNumber(number string) (int, bool) {
	number = strings.TrimSuffix(number, "er")
	n, err := strconv.Atoi(number)
	return n, err == nil
}

// between finds the heads first..last of articles among the lines between two others. A line
// is taken where it is surely the head, and surely of that number: so none has two, and no
// two have one; where their order is not that of their numbers none is.
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
	ofLine := make([]float64, len(lines))                                      // of all numbers
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

// chancesOf is the probability of each of several by their odds against none of them.
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

// mayBeObscured reports whether a line may be a head that can hardly be read: it reads as
// nothing else. Heads that can be read were weighed by the count, and what stands in
// quotation marks is another text's.
func mayBeObscured(l line, quoted bool) bool {
	_, _, reads := l.article("")
	_, heading := l.heading()
	first, _ := firstRune(l.text)
	return !reads && !heading && !quoted && !strings.ContainsRune("«“\"", first)
}

// odds are the log odds of a line of which that is seen, against none being the head.
func (o Obscured) odds(seen []float64) float64 {
	z := o.Bias
	for k, name := range ObscuredNames() {
		z += o.Weights[name] * seen[k]
	}
	return z
}

// Chances is the probability of each line between two heads, of which that is seen, that it
// is the head between them: one is, or none.
func (o Obscured) Chances(rows [][]float64) []float64 {
	odds := make([]float64, len(rows))
	for i, row := range rows {
		odds[i] = math.Exp(o.odds(row))
	}
	return chancesOf(odds)
}

// wordOf is the word by which a text names its articles, « art » or « article ».
func wordOf(head string) string {
	if word := lettersLike(firstWord(head)); len(word) > 4 {
		return "article"
	}
	return "art"
}

// headReach is how many letters and figures of a line may be those of a head, in words of
// which it has at most mostTokens.
const (
	headReach  = 14
	mostTokens = 3
)

// seenAs is what is seen of a line as the head of an article, in the order of
// ObscuredNames, and where that head would end.
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

// otherNumber is a number behind a word.
var otherNumber = law.Pattern(`\p{L}\W*\d+$`)

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// spelled is how much a line's beginning differs from a word and a number, each as a share
// of its letters, and where that beginning ends: at the end of the word of the line where
// both differ least.
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

// likeFigures are letters as the figures that they resemble.
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

// HiddenHead is a head of an article between two others of its text, as those who teach
// how heads are found hide it: with the lines up to the next one.
type HiddenHead struct {
	b      body
	at     int // its line, of those of the body
	from   int // the head before it
	to     int // the one behind it
	number int
	end    int
}

// HiddenHeads returns the heads that Split reads between two others of an arranged file,
// numbers one apart.
func (c Cutter) HiddenHeads(pages []layout.Page) []HiddenHead {
	ready := prepare(pages)
	m := c.mark(ready.lines, nil)
	var out []HiddenHead
	for _, s := range m.bodies(ready.lines) {
		from := s.from + s.head.lines
		b := body{lines: ready.lines[from:s.own], seen: m.seen(from, s.own), code: s.head.makesCode()}
		b.quoted, b.awaited = quoted(b.lines), awaited(b.lines)
		heads := b.countHeads(c.judgment())
		at := slices.Sorted(maps.Keys(heads))
		for k := 1; k+1 < len(at); k++ {
			before, ok := plainNumber(heads[at[k-1]])
			n, ok2 := plainNumber(heads[at[k]])
			behind, ok3 := plainNumber(heads[at[k+1]])
			_, end, reads := b.lines[at[k]].article("")
			if ok && ok2 && ok3 && reads && before+1 == n && behind == n+1 {
				out = append(out, HiddenHead{b, at[k], at[k-1], at[k+1], n, end})
			}
		}
	}
	return out
}

// Head is the head as it was read, signs behind it included: « Art. 5. — ».
func (h HiddenHead) Head() string { return h.b.lines[h.at].text[:h.end] }

// hide puts other words in the place of the head.
func (h HiddenHead) hide(head string) (lines []line) {
	lines = slices.Clone(h.b.lines[h.from : h.to+1])
	l := &lines[h.at-h.from]
	l.text, l.number = strings.TrimSpace(head+l.text[h.end:]), ""
	return lines
}

// Rows are what is seen of the lines between the two other heads where other words stand
// in the place of the head, a row a line in the order of ObscuredNames; right is the row
// of the head, -1 where it is none of them. There are no rows where these words still read
// as the head.
func (h HiddenHead) Rows(head string) (rows [][]float64, right int) {
	lines := h.hide(head)
	text := lines[h.at-h.from].text
	if like, ok := blurredArticle(text); ok && like.number == h.number {
		return nil, 0
	}
	if _, _, reads := articleOf(text, ""); reads {
		return nil, 0
	}
	word := wordOf(lines[0].text)
	right = -1
	for i := 1; i+1 < len(lines); i++ {
		if !mayBeObscured(lines[i], h.b.quoted[h.from+i]) {
			continue
		}
		if i == h.at-h.from {
			right = len(rows)
		}
		seen, _ := seenAs(lines[i-1], lines[i], h.number, word)
		rows = append(rows, seen)
	}
	return rows, right
}
