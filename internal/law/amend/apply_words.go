package amend

import (
	"slices"
	"strings"
	"unicode/utf8"
	"vigueur/internal/law"
)

// inWords makes the edits of an operation that names words of the article.
func (a *applier) inWords(op Operation, regions []region) (edits []edit, why Reason, span *Span) {
	for _, at := range regions {
		found, why := a.find(op, at)
		if why == WordsNotFound && op.Every {
			return nil, "", nil
		}
		if why != "" {
			if why == WordsNotFound {
				span = a.near(op.Words, at)
			}
			return nil, why, span
		}
		for _, f := range found {
			e, why := a.atWords(op, at, f)
			if why != "" {
				return nil, why, nil
			}
			edits = append(edits, e)
		}
	}
	return edits, "", nil
}

// atWords makes the edit at the words [f.Start,f.End).
func (a *applier) atWords(op Operation, at region, f Span) (edit, Reason) {
	text := strings.Join(op.New, " ")
	switch op.Kind {
	case ReplaceWords:
		return edit{Span: f, text: text}, ""
	case DeleteWords:
		for f.Start > at.Start && a.text[f.Start-1] == ' ' {
			f.Start--
		}
		return edit{Span: f}, ""
	case ReplaceTail:
		if at.loose {
			return edit{}, PlaceUnclear
		}
		end := at.End
		if r, _ := utf8.DecodeLastRuneInString(text); text == "" || wordRune(r) {
			end = a.bodyEnd(at)
		}
		return edit{Span: Span{f.End, max(end, f.End)}, text: spaced(text)}, ""
	}
	if op.Side == Before {
		return edit{Span: Span{f.Start, f.Start}, text: text + " "}, ""
	}
	return edit{Span: Span{f.End, f.End}, text: spaced(text)}, ""
}

// spaced puts a space between words and what they are added to.
func spaced(text string) string {
	if r := firstRune(text); r == ',' || r == '.' || text == "" {
		return text
	}
	return " " + text
}

// bodyEnd returns the end of a region before the sign that ends it.
func (a *applier) bodyEnd(at region) int {
	body := strings.TrimRight(a.text[at.Start:at.End], " .;:,\u00a0\u202f")
	return at.Start + len(body)
}

// find returns the places of an operation's words in a region.
func (a *applier) find(op Operation, at region) ([]Span, Reason) {
	start := at.Start
	if !at.sentence {
		start = a.s.lines[at.first].body
	}
	found, last, first := occurrences(a.text[at.Start:at.End], op.Words)
	for i := range found {
		found[i].Start += at.Start
		found[i].End += at.Start
	}
	if len(found) == 0 {
		return nil, WordsNotFound
	}
	switch {
	case op.Kind != InsertWords && op.Side == AtEnd:
		if at.loose {
			return nil, PlaceUnclear
		}
		if !last {
			return nil, WordsNotFound
		}
		return found[len(found)-1:], ""
	case op.Kind != InsertWords && op.Side == AtStart:
		if !first && strings.IndexFunc(a.text[start:found[0].Start], wordRune) >= 0 {
			return nil, WordsNotFound
		}
		return found[:1], ""
	case op.Nth != 0:
		n, ok := counted(op.Nth, len(found))
		if !ok {
			return nil, WordsNotFound
		}
		return found[n : n+1], ""
	case op.Times > 0 && op.Times != len(found):
		if op.Times > len(found) {
			return nil, WordsNotFound
		}
		return nil, WordsTooOften
	case op.Times == 0 && !op.Every && len(found) > 1:
		return nil, WordsTooOften
	}
	return found, ""
}

// occurrences finds words in a text, without overlap. last and first report whether the last
// one ends the text and the first one begins it. Signs at the ends of the words count as far
// as the text has them.
func occurrences(text, sought string) (found []Span, last, first bool) {
	words, needle := wordsOf(text), wordsOf(sought)
	if len(needle.text) == 0 {
		sought = strings.TrimFunc(sought, blankOrInvisible)
		for pos := 0; sought != ""; {
			i := strings.Index(text[pos:], sought)
			if i < 0 {
				break
			}
			found = append(found, Span{pos + i, pos + i + len(sought)})
			pos += i + len(sought)
		}
		return found, false, false
	}
	const between = "\x00"
	starts, joined := make([]int, len(words.text)), between+strings.Join(words.text, between)+between
	for i := 1; i < len(starts); i++ {
		starts[i] = starts[i-1] + len(words.text[i-1]) + 1
	}
	target := between + strings.Join(needle.text, between) + between
	for pos := 0; ; {
		n := strings.Index(joined[pos:], target)
		if n < 0 {
			return found, last, first
		}
		i, _ := slices.BinarySearch(starts, pos+n)
		end := i + len(needle.text) - 1
		found = append(found, signs(text, sought, Span{words.at[i].Start, words.at[end].End}, needle))
		last, first = end == len(words.text)-1, first || i == 0
		pos += n + len(target) - 1
	}
}

// signs widens the place of words by the signs that the sought words begin and end with, if
// the text has the same there.
func signs(text, sought string, span Span, needle words) Span {
	plain := func(s string) string { return strings.Map(signOnly, s) }
	if lead := plain(sought[:needle.at[0].Start]); lead != "" {
		start := span.Start
		for start > 0 && span.Start-start < 8 {
			r, size := utf8.DecodeLastRuneInString(text[:start])
			if wordRune(r) {
				break
			}
			start -= size
			if plain(text[start:span.Start]) == lead {
				span.Start = start
				break
			}
		}
	}
	if trail := plain(sought[needle.at[len(needle.at)-1].End:]); trail != "" {
		end := span.End
		for end < len(text) && end-span.End < 8 {
			r, size := utf8.DecodeRuneInString(text[end:])
			if wordRune(r) {
				break
			}
			end += size
			if plain(text[span.End:end]) == trail {
				span.End = end
				break
			}
		}
	}
	return span
}

// signOnly drops blanks, for strings.Map.
func signOnly(r rune) rune {
	if blankOrInvisible(r) {
		return -1
	}
	return r
}

// wordsAtEnd adds words at an end of each region.
func (a *applier) wordsAtEnd(op Operation, regions []region) (edits []edit, why Reason) {
	text := strings.Join(op.New, " ")
	if text == "" {
		return nil, WordingMissing
	}
	for _, at := range regions {
		switch op.Side {
		case AtStart:
			start := at.Start
			if _, _, n := labelOf(text+" ", nil); !at.sentence && n == 0 {
				start = a.s.lines[at.first].body
			}
			edits = append(edits, edit{Span: Span{start, start}, text: text + " "})
		case AtEnd:
			if at.loose {
				return nil, PlaceUnclear
			}
			end := a.bodyEnd(at)
			if r, _ := utf8.DecodeLastRuneInString(text); !wordRune(r) && (r == '.' || r == ';' || r == ':') {
				edits = append(edits, edit{Span: Span{end, at.End}, text: spaced(text)})
				continue
			}
			edits = append(edits, edit{Span: Span{end, end}, text: spaced(text)})
		default:
			return nil, NotUnderstood
		}
	}
	return edits, ""
}

// near finds the words of a region that are most similar to words that are not in it: as
// many words, of which at most one in six differs, and each by at most a third of its
// letters. It returns nil if there is no such place, or more than one, or if the search would
// take too long.
func (a *applier) near(sought string, at region) *Span {
	words, needle := wordsOf(a.text[at.Start:at.End]), wordsOf(sought)
	allowed, compared := (len(needle.text)+5)/6, 0
	if len(needle.text) < 2 {
		return nil
	}
	var found *Span
	for i := 0; i+len(needle.text) <= len(words.text); i++ {
		differ := 0
		for k := 0; k < len(needle.text) && differ <= allowed; k++ {
			if words.text[i+k] == needle.text[k] {
				compared += k / 64 // long runs of equal words count too
				continue
			}
			differ++
			if differ > allowed {
				break
			}
			if compared++; compared > mostCompared {
				return nil
			}
			if distance(words.text[i+k], needle.text[k])*3 > len(needle.text[k]) {
				differ = allowed + 1
			}
		}
		if differ > allowed {
			continue
		}
		if found != nil {
			return nil
		}
		found = &Span{at.Start + words.at[i].Start, at.Start + words.at[i+len(needle.text)-1].End}
	}
	return found
}

// distance is the number of letters to change, add or leave out to make one word of another.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	const longest = 32
	if gap := max(len(x), len(y)) - min(len(x), len(y)); len(x) > longest || len(y) > longest || gap*3 > len(b) {
		return longest
	}
	return law.RuneDistance(x, y)
}
