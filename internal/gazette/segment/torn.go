package segment

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// joinTornHeads joins the word of an article's head with its number if the number is printed on the next
// line, at the top of the next column or on the next page (« ARTICLE » over « 5.- Le conseil … »). The result
// reads like any other head, and what follows the number becomes a line of its own. No sentence has this word
// alone on a line, capitalized, and then a number that does not belong to it.
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

// tornWord matches the word of an article's head, alone on its line.
var tornWord = law.Pattern(`^(?:ARTICLE|Article|ART|Art)\b ?[.]?$`)

// withNumber moves the number from the beginning of the next line to the end of l, which is the word of an
// article's head.
func (l line) withNumber(next line) (head, rest line, ok bool) {
	text := l.text + " " + next.text
	_, end, ok := heads.Read(text, "")
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
