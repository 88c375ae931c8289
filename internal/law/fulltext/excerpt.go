package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// Mark is the place of a match in a text: the characters [Start,End), counted as Unicode
// code points.
type Mark struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Excerpt is a part of a text.
type Excerpt struct {
	Text   string `json:"text"`   // part of the original text, unchanged
	Marks  []Mark `json:"marks"`  // matches in Text
	Before bool   `json:"before"` // whether the original has more text before it
	After  bool   `json:"after"`  // whether the original has more text after it
}

// excerptLength is the approximate length of an excerpt in bytes: three printed lines.
const excerptLength = 280

// found is a word of the query in a text, with its place in bytes.
type found struct {
	start, end int
	word       string
}

// Marks returns the matches of the query in a text.
func (q Query) Marks(text string) []Mark { return toMarks(text, 0, q.find(text)) }

// Held returns the number of different words of the query in a text.
func (q Query) Held(text string) int {
	different := map[string]bool{}
	for _, f := range q.find(text) {
		different[f.word] = true
	}
	return len(different)
}

func (q Query) find(text string) (list []found) {
	for _, t := range french.Analyze(text) {
		word := t.Term
		if !q.words[word] && t.Kind == french.Text {
			word = french.TextStem(word)
		}
		if !q.words[word] || t.Stop {
			continue
		}
		list = append(list, found{t.Start, t.End, word})
	}
	return list
}

// toMarks returns list as marks of text, which begins at byte from of the text that was
// searched.
func toMarks(text string, first int, list []found) []Mark {
	marks := make([]Mark, 0, len(list))
	pos, characters := 0, 0
	to := func(n int) int {
		characters += utf8.RuneCountInString(text[pos:n])
		pos = n
		return characters
	}
	for _, f := range list {
		start := to(f.start - first)
		marks = append(marks, Mark{start, to(f.end - first)})
	}
	return marks
}

// Excerpt returns the part of a text that matches the query best: the part with the most
// different words of the query, among equals the one with the most matches, then the first
// one. Without a match it is the beginning of the text.
func (q Query) Excerpt(text string) Excerpt {
	list := q.find(text)
	first, last := densest(list)
	start, end := 0, 0
	if len(list) > 0 {
		start, end = list[first].start, list[last].end
	}
	if room := excerptLength - (end - start); room > 0 {
		start = wordBefore(text, start-room/3)
		end = wordAfter(text, max(end, start+excerptLength))
	}
	for start < end && isBlankAt(text, start) {
		_, n := utf8.DecodeRuneInString(text[start:])
		start += n
	}
	shown := strings.TrimRightFunc(text[start:end], unicode.IsSpace)
	end = start + len(shown)
	founds := make([]found, 0, len(list))
	for _, f := range list {
		if f.start >= start && f.end <= end {
			founds = append(founds, f)
		}
	}
	return Excerpt{Text: shown, Marks: toMarks(shown, start, founds),
		Before: strings.TrimSpace(text[:start]) != "", After: strings.TrimSpace(text[end:]) != ""}
}

// densest returns the indexes of the first and last match that an excerpt should show.
func densest(list []found) (first, last int) {
	most, total := 0, 0
	for i := range list {
		different := map[string]bool{}
		j := i
		for ; j < len(list) && list[j].end-list[i].start <= excerptLength; j++ {
			different[list[j].word] = true
		}
		if len(different) > most || len(different) == most && j-i > total {
			first, last, most, total = i, max(i, j-1), len(different), j-i
		}
	}
	return first, last
}

// wordBefore returns the start of a word at or before byte at, if one is near.
func wordBefore(text string, pos int) int {
	if pos <= 0 {
		return 0
	}
	if i := strings.LastIndexFunc(text[:runeStart(text, pos)], unicode.IsSpace); i >= 0 && pos-i < excerptLength/4 {
		_, n := utf8.DecodeRuneInString(text[i:])
		return i + n
	}
	return runeStart(text, pos) // no blank nearby
}

// wordAfter returns the end of the last word that ends before byte at.
func wordAfter(text string, pos int) int {
	if pos >= len(text) {
		return len(text)
	}
	pos = runeStart(text, pos)
	if isBlankAt(text, pos) {
		return pos
	}
	if i := strings.IndexFunc(text[pos:], unicode.IsSpace); i >= 0 && i < excerptLength/4 {
		return pos + i
	}
	return pos
}

// runeStart returns the first byte of the character that contains byte at.
func runeStart(text string, pos int) int {
	for pos > 0 && pos < len(text) && !utf8.RuneStart(text[pos]) {
		pos--
	}
	return pos
}

func isBlankAt(text string, pos int) bool {
	r, _ := utf8.DecodeRuneInString(text[pos:])
	return unicode.IsSpace(r)
}
