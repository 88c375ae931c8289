package segment

import (
	"fmt"
	"strings"

	"vigueur/internal/page"
)

// A gazette's page begins within a text and ends within another one; a file may
// be cut off. What is printed of such texts is kept, and said to be incomplete.

// begun tells whether the lines before the first head are the end of a text: they
// have articles, counted from more than one on.
func begun(lines []line) bool {
	for i, l := range lines {
		if number, _, ok := l.article(""); ok && mayHead(before(lines, i), l) {
			n, counted := leading(number)
			return counted && n > 1
		}
	}
	return false
}

// noteEnds says that a text is not all in the file.
func (d *draft) noteEnds() {
	if d.headless {
		d.note("complet", "", d.Document.FirstPage, 0.1, "Le texte commence avant ce fichier : son titre et ses premiers articles manquent.")
	}
	if d.last && d.cutShort() {
		d.note("complet", "", d.Document.LastPage, 0.3, "Le texte ne se termine pas dans ce fichier : sa fin manque.")
	}
}

// noteGarbled says that words of the text were damaged with the file.
func (d *draft) noteGarbled(pages []page.Page) {
	var numbers []string
	for _, p := range pages {
		if p.Number >= d.Document.FirstPage && p.Number <= d.Document.LastPage && p.Garbled() {
			numbers = append(numbers, fmt.Sprint(p.Number))
		}
	}
	if len(numbers) > 0 {
		d.note("texte", "", d.Document.FirstPage, 0.2, "Le fichier est abîmé : une partie des mots est illisible (p. "+strings.Join(numbers, ", ")+").")
	}
}

// cutShort tells whether the last line of a text can be no text's last: an
// article that breaks off within a sentence, with no signature.
func (d *draft) cutShort() bool {
	if len(d.pieces) == 0 {
		return false
	}
	p := d.pieces[len(d.pieces)-1]
	if p.role != articleRole || len(p.lines) == 0 {
		return false
	}
	l := p.lines[len(p.lines)-1]
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	return !ended(l.text) && !short(l) && !l.mid && !l.wide && l.Indent < 0.3*width
}
