package segment

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
)

// mendHeads repairs the misread heads of articles and divisions among the lines of a file, before they are labeled, and
// records each repaired head in its line. Package heads says how the heads of articles are repaired, here and later.
func mendHeads(lines []line) {
	seen := make([]heads.Line, len(lines))
	for i := range lines {
		seen[i] = seenLine(lines, i)
		seen[i].Taken = opensWording(lines[i].text)
	}
	for _, h := range heads.Mend(seen) {
		lines[h.Line].mended = h
	}
	for i := range lines {
		if word := misreadDivision(lines[i]); word != "" && seen[i].Apart && !heads.Resembles(seen[i]) {
			lines[i].division = word
		}
	}
}

// opensWording reports whether a text begins with the head of a quoted wording, which belongs to another text.
func opensWording(text string) bool {
	if first, _ := firstRune(text); !strings.ContainsRune("«“\"", first) {
		return false
	}
	h, ok := headAtStart(text)
	return ok && h.opened
}

// divisionWords are the words that begin the heading of a division.
var divisionWords = []string{"chapitre", "titre", "section", "livre", "partie"}

// slipsInDivision is the maximum number of misread letters in the word of a division.
const slipsInDivision = 1

// misreadDivision reads the heading of a division whose word is misread or whose number cannot be read, if it
// is centered and alone on its line: « CHAPIÏRE II », « CHAPITRE Hi ». It returns the word, "" for any other
// line.
func misreadDivision(l line) string {
	if !l.mid || len(l.text) > 24 || !capitals(firstWord(l.text)) {
		return ""
	}
	if _, ok := headingOf(l.text); ok {
		return ""
	}
	word := heads.Letters(firstWord(l.text))
	number := strings.Trim(strings.TrimPrefix(l.text, firstWord(l.text)), " .:-–—")
	if utf8.RuneCountInString(number) > 5 {
		return ""
	}
	for _, w := range divisionWords {
		if n := heads.Slips(word, w); n == 0 || n <= slipsInDivision && len(w) > 5 && number != "" {
			return w
		}
	}
	return ""
}
