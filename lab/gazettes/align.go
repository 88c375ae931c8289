package gazettes

import (
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// How many lines behind a beginning are looked at for what is noted of a text.
const (
	headReach  = 4 // number and date
	titleReach = 9
)

// leastFit is the fit from which on a line is taken for a text's beginning: the
// word of its kind and one of number, date or title, on its page.
const leastFit = 4

// Begins finds the lines at which the texts of a file begin: for each text the
// index of its first line, -1 for one that begins before the file or was not
// found. Texts come in their order as a rule, and of equal fits the later one is taken: a
// summary names what comes.
func Begins(lines []layout.Line, texts []Text) []int {
	ws := windows(lines)
	n := len(lines)
	best := make([]float64, n+1) // of the texts so far, within the first i lines
	steps := make([][]step, len(texts))
	for t, x := range texts {
		next := make([]float64, n+1)
		steps[t] = make([]step, n+1)
		next[0], steps[t][0] = best[0], skipText
		for i := range n {
			next[i+1], steps[t][i+1] = best[i+1], skipText
			if next[i] >= next[i+1] && steps[t][i] != skipText {
				next[i+1], steps[t][i+1] = next[i], skipLine
			}
			if x.EndOnly() {
				continue
			}
			if fit := ws.fit(i, x); fit >= leastFit && best[i]+fit >= next[i+1] {
				next[i+1], steps[t][i+1] = best[i]+fit, take
			}
		}
		best = next
	}
	out := make([]int, len(texts))
	i := n
	for t := len(texts) - 1; t >= 0; t-- {
		out[t] = -1
		for steps[t][i] == skipLine {
			i--
		}
		if steps[t][i] == take {
			i--
			out[t] = i
		}
	}
	ws.moved(texts, out)
	return out
}

// moved finds texts that a person noted out of their order, where nothing of
// another's begins: what tells them apart must be their number.
func (w looked) moved(texts []Text, at []int) {
	taken := map[int]bool{}
	for _, i := range at {
		taken[i] = true
	}
	for t, x := range texts {
		if at[t] >= 0 || x.EndOnly() || x.Number == "" {
			continue
		}
		best := 0.0
		for i := range w.lines {
			if fit := w.fit(i, x); !taken[i] && fit >= leastFit+1 && fit >= best {
				at[t], best = i, fit
			}
		}
		taken[at[t]] = true
	}
}

// step is how the best alignment of some texts and lines comes about.
type step uint8

const (
	skipText step = iota // the last text was not found
	skipLine             // the last line begins no text
	take                 // the last text begins at the last line
)

// looked is the lines of a file as they are looked at.
type looked struct {
	lines  []layout.Line
	folded []string
	digits []string
}

func windows(lines []layout.Line) looked {
	w := looked{lines: lines, folded: make([]string, len(lines)), digits: make([]string, len(lines))}
	for i, l := range lines {
		w.folded[i] = law.Fold(l.Text())
		w.digits[i] = figures(l.Text())
	}
	return w
}

// figures are the letters and figures of a text without blanks and signs.
func figures(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// fit is how well text t begins at line i.
func (w looked) fit(i int, t Text) float64 {
	fit := 0.0
	if t.Page > 0 {
		d := t.Page - w.lines[i].Page
		if d > 1 || d < -1 {
			return 0
		}
		if d == 0 {
			fit++
		} else {
			fit--
		}
	}
	words := strings.FieldsFunc(w.folded[i], func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) > 1 && words[0] == "par" {
		words = words[1:]
	}
	if len(words) == 0 || !called(words[0], t) {
		return 0
	}
	fit += 2
	near, far := w.span(i, headReach), w.span(i, titleReach)
	if t.Number != "" && strings.Contains(w.digitSpan(i, headReach), figures(t.Number)) {
		fit += 3
	}
	if t.Date != "" && hasDate(near, t.Date) {
		fit += 2
	}
	fit += 4 * overlap(t.Title, far)
	if strings.Contains(near, "....") || strings.Contains(near, "…") {
		fit -= 2
	}
	return fit
}

// called reports whether a text may begin with a word: the name of its kind, as it
// is or with two slips of recognition.
func called(word string, t Text) bool {
	names := []string{t.Type}
	if t.Number != "" && (t.Type == string(law.Code) || t.Type == string(law.Constitution)) {
		names = append(names, "loi", "dahir", "ordonnance", "decret") // what makes it is printed first
	}
	if t.Nature != "" {
		names = append(names, t.Nature)
	}
	for _, name := range names {
		name, _, _ = strings.Cut(law.Fold(name), "_")
		if slips(word, name) <= len(name)/4+1 {
			return true
		}
	}
	return false
}

// slips is the edit distance of two short words.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func (w looked) span(i, n int) string {
	return strings.Join(w.folded[i:min(len(w.folded), i+n)], " ")
}

func (w looked) digitSpan(i, n int) string {
	return strings.Join(w.digits[i:min(len(w.digits), i+n)], "")
}

// hasDate reports whether a day stands in a text.
func hasDate(text, day string) bool {
	for len(text) > 0 {
		d, _, end, ok := law.FindDate(text)
		if !ok {
			return false
		}
		if d.Format("2006-01-02") == day {
			return true
		}
		text = text[end:]
	}
	return false
}

// leastWord is how many letters a title's word has that tells of it.
const leastWord = 4

// overlap is the share of a title's words that stand in a text.
func overlap(title, text string) float64 {
	all, found := 0, 0
	for _, w := range strings.FieldsFunc(law.Fold(title), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) < leastWord {
			continue
		}
		all++
		if strings.Contains(text, w) {
			found++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(found) / float64(all)
}

// sameReach is how many lines may stand between the heading of an act and the act
// itself, which names kind and day again: « Par décret du 18 juin 2014, … ».
const sameReach = 12

// Same returns the lines of which one is where a text begins that was found at line
// at: an act under a heading of its own has two such lines, and which of them a
// person calls its beginning is a matter of taste.
func Same(lines []layout.Line, at int, t Text) []int {
	ws := windows(lines[max(0, at-sameReach):min(len(lines), at+sameReach)])
	from := max(0, at-sameReach)
	out := []int{}
	bare := t
	bare.Page, bare.Title = 0, ""
	for i := range ws.lines {
		if from+i == at || ws.fit(i, bare) >= leastFit && abuts(ws, i, at-from) {
			out = append(out, from+i)
		}
	}
	return out
}

// abuts reports whether one of lines i and j says « par » and the other does not, so
// that they are heading and act.
func abuts(w looked, i, j int) bool {
	by := func(k int) bool { return strings.HasPrefix(w.folded[k], "par ") }
	return by(i) != by(j) && (i < j) == by(j)
}
