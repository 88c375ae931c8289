package segment

import (
	"maps"
	"slices"
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

// seenLine returns what the search for misread heads sees of line i. Taken is never set, because no line has been read
// as anything else yet.
func seenLine(lines []line, i int) heads.Line {
	l, prev := &lines[i], before(lines, i)
	return heads.Line{Text: l.text, Apart: mayHead(prev, *l), Opens: l.opens, Mid: l.mid, Scan: l.scan,
		After: prev != nil && (ended(prev.text) || short(*prev) || prev.Page != l.Page || prev.Column != l.Column)}
}

// opensWording reports whether a text begins with the head of a quoted wording, which belongs to another text.
func opensWording(text string) bool {
	if first, _ := firstRune(text); !strings.ContainsRune("«“\"", first) {
		return false
	}
	h, ok := headAtStart(text)
	return ok && h.opened
}

// addMissing adds the heads that are hard to read to the heads that countHeads chose.
func (b *body) addMissing(o heads.Obscured) {
	chosen := make([]heads.Head, 0, len(b.heads))
	for _, i := range slices.Sorted(maps.Keys(b.heads)) {
		chosen = append(chosen, b.heads[i])
	}
	for _, h := range o.Missing(chosen, b.seenLine) {
		b.heads[h.Line] = h
	}
}

// seenLine returns what the search for missing heads sees of line i.
func (b *body) seenLine(i int) heads.Line {
	seen := seenLine(b.lines, i)
	_, division := b.lines[i].heading()
	seen.Taken = division || b.quoted[i] || b.lines[i].mended.Number != ""
	return seen
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
