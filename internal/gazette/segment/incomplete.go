package segment

import (
	"fmt"
	"strings"

	"vigueur/internal/gazette/layout"
)

// A gazette's page begins within a text and ends within another one; a file may
// be cut off. What is printed of such texts is kept, and said to be incomplete.

// begun reports whether the lines before the first head are the end of a text: they
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

// resumed tells of the lines of a text that begins before the file that nothing of how a
// text is opened stands before the first article: no visa and no formula, as would
// where merely its title was not recognized.
func resumed(labels []Label) bool {
	for _, l := range labels {
		switch l {
		case Article:
			return true
		case Visa, Formula, Head, Title:
			return false
		}
	}
	return true
}

// setRemainsAside takes out the end of a text that begins before the file, if other texts
// stand behind it: without a title no catalogue can have it, and nobody could say more of
// it than that. It is told of the file. A person who has said anything of its
// lines wants it to be a text.
func (s *splitter) setRemainsAside(drafts []*draft) []*draft {
	d := drafts[0]
	if s.hints.KeepRemains || len(drafts) < 2 || !d.headless || !d.resumed || len(d.repeat) > 0 || s.mending.speaksOf(d.lines) {
		return drafts
	}
	r := Remains{First: PlaceOf(d.lines[0].Line), FirstPage: d.Document.FirstPage, LastPage: d.Document.LastPage}
	for i, p := range d.pieces {
		if p.role == articleRole {
			r.Articles = append(r.Articles, d.Articles[i].Number)
		}
	}
	s.issue.Remains = &r
	s.issue.loose(d.lines)
	s.mending.aside = 1
	return drafts[1:]
}

// noteEnds says that a text is not all in the file.
func (d *draft) noteEnds() {
	if d.headless {
		d.note("complet", "", d.Document.FirstPage, 0.1, "Le texte commence avant ce fichier : son titre et ses premiers articles manquent.")
	}
	if d.last && d.cutShort() {
		d.note("complet", "", d.Document.LastPage, 0.3, "Le texte ne se termine pas dans ce fichier : sa fin manque.")
	} else if d.last && !d.headless && d.openEnded() {
		told := "Le texte numérisé n’a ni clause finale ni signature : sa fin manque peut-être."
		if !d.scanned() {
			told = "Le texte n’a ni clause finale ni signature, qu’ont tous les autres du fichier : sa fin manque peut-être."
		}
		d.note("complet", "", d.Document.LastPage, asGuessed, told)
	}
}

// closing are the words of a text's last clauses: it is published, enforced, in
// force, and what was before is repealed.
var closing = plain(`(?i)publié|publication|insér|exécut|vigueur|abrog|contraires?|enregistré|communiqu`)

// openEnded tells of a text of several articles that ends with neither signature nor final
// clause, where it should: a scan, since prints on the web often leave signatures away and
// scans do not; and one behind texts that all have one.
func (d *draft) openEnded() bool {
	return (d.scanned() || d.behindEnded) && d.articles >= 2 && d.unended()
}

// scanned reports whether a text ends on a scan.
func (d *draft) scanned() bool { return len(d.lines) > 0 && d.lines[len(d.lines)-1].scan }

// behindEnded reports whether all texts in full before the last one have their end, and there
// are any.
func behindEnded(drafts []*draft) bool {
	whole := 0
	for _, d := range drafts[:len(drafts)-1] {
		if d.headless || d.head.abridged || d.articles == 0 {
			continue
		}
		if d.unended() {
			return false
		}
		whole++
	}
	return whole > 0
}

// unended reports whether a text in full has neither signature nor annex, nor a final clause
// in its last two articles.
func (d *draft) unended() bool {
	if d.head.abridged {
		return false
	}
	seen := 0
	for i := len(d.pieces) - 1; i >= 0 && seen < 2; i-- {
		p := d.pieces[i]
		if p.role == signatureRole || p.role == annexRole || strings.HasPrefix(p.number, "Annexe") || closing.MatchString(d.Articles[i].Text) {
			return false
		}
		if p.role == articleRole {
			seen++
		}
	}
	return true
}

// noteGarbled says that words of the text were damaged with the file.
func (d *draft) noteGarbled(pages []layout.Page) {
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

// cutShort reports whether the last line of a text can be no text's last: an
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
