package segment

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

// passageLimit is the maximum number of code points of a passage; an article that is not longer stays whole.
const passageLimit = 1200

// Passages cuts an article into the parts that are searched: the whole article, or parts of similar length
// that end with a paragraph, else with a sentence, else with a word. The concatenation of their texts is the
// article's text. Positions count from 0 within the article; the caller assigns ids. A blank article has no
// passages.
//
// New wordings that the article gives are articles of their own. Their words, with the heads and marks around
// them, become separate passages, which are marked as quoted.
func Passages(article law.Article, wordings ...gazette.Wording) []law.Passage {
	if strings.TrimSpace(article.Text) == "" {
		return nil
	}
	var out []law.Passage
	page := article.Page
	for start := 0; start < len(article.Text); {
		limit, quoted := stretch(len(article.Text), start, wordings)
		end := start + cutAt(article.Text[start:limit])
		p := law.Passage{DocumentID: article.DocumentID, ArticleID: article.ID, Position: len(out), Page: page, Quoted: quoted,
			Text: article.Text[start:end], Spans: law.SpansWithin(article.Spans, start, end)}
		if len(p.Spans) > 0 {
			p.Page = p.Spans[0].Page
		}
		page = p.Page
		out = append(out, p)
		start = end
	}
	return out
}

// stretch returns the byte at which the part of an article that begins at byte start ends, and whether this part is a
// new wording or the article's own words between two new wordings.
func stretch(length, start int, wordings []gazette.Wording) (end int, quoted bool) {
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

// cutAt returns the byte at which the next passage of text ends. Parts have similar lengths, so that the last
// one is not very short.
func cutAt(text string) int {
	left := utf8.RuneCountInString(text)
	if left <= passageLimit {
		return len(text)
	}
	parts := (left + passageLimit - 1) / passageLimit
	limit := runeOffset(text, passageLimit)
	aim := runeOffset(text, left/parts)
	least := aim / 3
	for _, ends := range []func(text string, pos int) bool{endsAlinea, endsSentence, endsWord} {
		best := 0
		for pos := least + 1; pos <= limit; pos++ {
			if ends(text, pos) && (best == 0 || distance(pos, aim) < distance(best, aim)) {
				best = pos
			}
		}
		if best > 0 {
			return best
		}
	}
	return limit
}

// runeOffset returns the byte after the first n code points of text.
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

func endsAlinea(text string, pos int) bool { return text[pos-1] == '\n' }

func endsWord(text string, pos int) bool { return text[pos-1] == ' ' || text[pos-1] == '\n' }

func endsSentence(text string, pos int) bool {
	return pos >= 2 && text[pos-1] == ' ' && strings.ContainsRune(".;:?!", rune(text[pos-2])) &&
		!abbreviation.MatchString(text[max(0, pos-8):pos-1])
}

// abbreviation matches a text that ends with the full stop of an abbreviation, which ends no sentence.
var abbreviation = law.Pattern(`(?i)(?:^|[\s(']|’)(?:art|arts|al|n|mm?|mmes?|dr|cf|p|pp|\p{L})\.$`)
