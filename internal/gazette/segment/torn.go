package segment

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// joinTornHeads puts the number of an article that stands on the line below its word, at the
// top of the next column or on the next page (« ARTICLE » over « 5.- Le conseil … ») behind
// that word: the line then reads as any other head, and what stood behind the number begins
// a line of its own. No sentence has the word alone on a line, with a capital, and a number
// behind it that does not go on with it.
func joinTornHeads(lines []line) []line {
	if !slices.ContainsFunc(lines, func(l line) bool { return tornWord.MatchString(l.text) }) {
		return lines
	}
	out := make([]line, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && tornWord.MatchString(lines[i].text) && mayHead(before(lines, i), lines[i]) {
			if head, rest, ok := lines[i].withNumber(lines[i+1]); ok {
				out = append(out, head)
				if i++; rest.text != "" {
					out = append(out, rest)
				}
				continue
			}
		}
		out = append(out, lines[i])
	}
	return out
}

// tornWord is the word of an article's head alone.
var tornWord = law.Pattern(`^(?:ARTICLE|Article|ART|Art)\b ?[.]?$`)

// withNumber parts the number from the beginning of the next line and puts it behind the
// line, which is the word of an article.
func (l line) withNumber(next line) (head, rest line, ok bool) {
	text := l.text + " " + next.text
	_, end, ok := articleOf(text, "")
	if !ok {
		return l, next, false
	}
	from := end - len(l.text) - 1 // in the text of the next line
	if from < len(next.text) && next.text[from-1] != ' ' {
		return l, next, false // within a word
	}
	rest = next.after(from)
	head = l
	head.Words = slices.Concat(l.Words, next.Words[:len(next.Words)-len(rest.Words)])
	if l.Page == next.Page && l.Column == next.Column {
		head.Rect = around(head.Words)
	}
	head.text = head.Line.Text()
	rest.opens = true
	return head, rest, strings.TrimSpace(head.text) != l.text
}
