package prepare

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// joinTornHeads joins the word of an article's head with its number if the number is printed on the next
// line, at the top of the next column or on the next page (« ARTICLE » over « 5.- Le conseil … »). The result
// reads like any other head, and what follows the number becomes a line of its own. No sentence has this word
// alone on a line, capitalized, and then a number that does not belong to it.
func joinTornHeads(lines []line.Line) []line.Line {
	if !slices.ContainsFunc(lines, func(l line.Line) bool { return tornWord.MatchString(l.Text) }) {
		return lines
	}
	out := make([]line.Line, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && tornWord.MatchString(lines[i].Text) && line.MayHead(line.Before(lines, i), lines[i]) {
			if head, rest, ok := withNumber(lines[i], lines[i+1]); ok {
				out = append(out, head)
				if i++; rest.Text != "" {
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
func withNumber(l line.Line, next line.Line) (head, rest line.Line, ok bool) {
	text := l.Text + " " + next.Text
	_, end, ok := heads.Read(text, "")
	if !ok {
		return l, next, false
	}
	from := end - len(l.Text) - 1 // in the text of the next line
	if from < len(next.Text) && next.Text[from-1] != ' ' {
		return l, next, false // within a word
	}
	rest = next.From(from)
	head = l
	head.Words = slices.Concat(l.Words, next.Words[:len(next.Words)-len(rest.Words)])
	if l.Page == next.Page && l.Column == next.Column {
		head.Rect = line.BoundsOf(head.Words)
	}
	head.Text = head.Line.Text()
	rest.Opens = true
	return head, rest, strings.TrimSpace(head.Text) != l.Text
}

// Publishers of consolidated texts print the day of the state before the name of the text, and the names of the acts that
// amended it below: « Version consolidée au 1er avril 2020 : Décret du 18 mars 2020 … / Liste des modificateurs … ».

// stateLead matches the words about the state before the name of a text.
var stateLead = law.Pattern(`^(?i:(?:` + titles.AsOfWords + `)[^:]{0,60}) *: *`)

// splitStateLeads sets the words about the state of a text apart from its name.
func splitStateLeads(lines []line.Line) []line.Line {
	at := slices.IndexFunc(lines, func(l line.Line) bool { return stateLead.MatchString(l.Text) })
	if at < 0 {
		return lines
	}
	l := lines[at]
	name := l.From(len(stateLead.FindString(l.Text)))
	if !titles.NamesText(name) {
		return lines
	}
	l.Words = l.Words[:len(l.Words)-len(name.Words)]
	l.Text, l.Rect = l.Line.Text(), line.BoundsOf(l.Words)
	name.Opens = true
	return slices.Concat(lines[:at:at], []line.Line{l, name}, lines[at+1:])
}
