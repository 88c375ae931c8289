package segment

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/law"
)

// passageLimit is the longest passage, in code points: an article up to it stays
// whole.
const passageLimit = 1200

// Passages cuts an article into the parts that are searched: the whole of it, or
// parts of like length ended at an alinea, else at a sentence, else at a word.
// Put end to end their texts are the article's; positions count from 0 within
// the article, ids are the caller's to make. A blank article has none.
//
// The new wordings that the article gives are articles of their own: their words,
// with the heads and marks around them, make passages apart, which are quoted.
func Passages(article law.Article, wordings ...Wording) []law.Passage {
	if strings.TrimSpace(article.Text) == "" {
		return nil
	}
	var out []law.Passage
	page := article.Page
	for start := 0; start < len(article.Text); {
		limit, quoted := stretch(len(article.Text), start, wordings)
		end := start + cutAt(article.Text[start:limit])
		p := law.Passage{DocumentID: article.DocumentID, ArticleID: article.ID, Position: len(out), Page: page, Quoted: quoted,
			Text: article.Text[start:end], Spans: spansWithin(article.Spans, start, end)}
		if len(p.Spans) > 0 {
			p.Page = p.Spans[0].Page
		}
		page = p.Page
		out = append(out, p)
		start = end
	}
	return out
}

// stretch tells where what begins at byte start ends, a new wording or the words
// between two, and which of both it is.
func stretch(length, start int, wordings []Wording) (end int, quoted bool) {
	for _, w := range wordings {
		switch {
		case w.From <= start && start < w.To:
			return w.To, true
		case start < w.From:
			return w.From, false
		}
	}
	return length, false
}

// cutAt returns the byte at which the next passage of text ends. Parts are of like
// length, so that no crumb is left at the end.
func cutAt(text string) int {
	left := utf8.RuneCountInString(text)
	if left <= passageLimit {
		return len(text)
	}
	parts := (left + passageLimit - 1) / passageLimit
	limit := runeOffset(text, passageLimit)
	aim := runeOffset(text, left/parts)
	least := aim / 3
	for _, ends := range []func(text string, at int) bool{endsAlinea, endsSentence, endsWord} {
		best := 0
		for at := least + 1; at <= limit; at++ {
			if ends(text, at) && (best == 0 || distance(at, aim) < distance(best, aim)) {
				best = at
			}
		}
		if best > 0 {
			return best
		}
	}
	return limit
}

// runeOffset is the byte behind the first n code points of text.
func runeOffset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func distance(a, b int) int { return max(a-b, b-a) }

func endsAlinea(text string, at int) bool { return text[at-1] == '\n' }

func endsWord(text string, at int) bool { return text[at-1] == ' ' || text[at-1] == '\n' }

func endsSentence(text string, at int) bool {
	return at >= 2 && text[at-1] == ' ' && strings.ContainsRune(".;:?!", rune(text[at-2])) &&
		!abbreviation.MatchString(text[max(0, at-8):at-1])
}

// spansWithin returns the spans of a text's bytes [start,end), counted from start.
func spansWithin(spans []law.Span, start, end int) []law.Span {
	var out []law.Span
	for _, s := range spans {
		part, ok := s.Within(start, end)
		if !ok {
			continue
		}
		part.Start -= start
		part.End -= start
		out = append(out, part)
	}
	return out
}
