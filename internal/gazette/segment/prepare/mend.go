package prepare

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
)

// mendHeads repairs the misread heads of articles and divisions among the lines of a file, before they are labeled, and
// records each repaired head in its line. Package heads says how the heads of articles are repaired, here and later.
func mendHeads(lines []line.Line) {
	seen := make([]heads.Line, len(lines))
	for i := range lines {
		seen[i] = line.HeadLine(lines, i)
		seen[i].Taken = opensWording(lines[i].Text)
	}
	for _, h := range heads.Mend(seen) {
		lines[h.Line].Repaired = h
	}
	for i := range lines {
		if word := misreadDivision(lines[i]); word != "" && seen[i].Apart && !heads.Resembles(seen[i]) {
			lines[i].Division = word
		}
	}
}

// opensWording reports whether a text begins with the head of a quoted wording, which belongs to another text.
func opensWording(text string) bool {
	if first, _ := line.FirstRune(text); !strings.ContainsRune("«“\"", first) {
		return false
	}
	h, ok := line.ReadQuotedHead(text)
	return ok && h.Opened
}

// divisionWords are the words that begin the heading of a division.
var divisionWords = []string{"chapitre", "titre", "section", "livre", "partie"}

// misreadDivision reads the heading of a division whose word is misread or whose number cannot be read, if it
// is centered and alone on its line: « CHAPIÏRE II », « CHAPITRE Hi ». It returns the word, "" for any other
// line.
func misreadDivision(l line.Line) string {
	if !l.Centered || len(l.Text) > 24 || !line.AllCaps(line.FirstWord(l.Text)) {
		return ""
	}
	if _, ok := line.HeadingOf(l.Text); ok {
		return ""
	}
	word := heads.Letters(line.FirstWord(l.Text))
	number := strings.Trim(strings.TrimPrefix(l.Text, line.FirstWord(l.Text)), " .:-–—")
	if utf8.RuneCountInString(number) > 5 {
		return ""
	}
	for _, w := range divisionWords {
		if n := heads.Slips(word, w); n == 0 || n <= line.SlipsInDivision && len(w) > 5 && number != "" {
			return w
		}
	}
	return ""
}
