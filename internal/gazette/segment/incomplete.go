package segment

import (
	"cmp"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
)

// A page taken from a gazette may begin within one text and end within another, and a file may be cut off.
// Such texts are kept, and said to be incomplete.

// noteEnds records that the beginning or the end of a text is missing from the file.
func (d *draft) noteEnds() {
	if d.headless {
		d.note("complet", "", d.Document.FirstPage, 0.1, remarks.Of(remarks.BeginsBefore))
	}
	if d.last && d.cutShort() {
		d.note("complet", "", d.Document.LastPage, 0.3, remarks.Of(remarks.EndsAfter))
	} else if d.last && !d.headless && d.openEnded() {
		why := remarks.NoEndOfScan
		if !d.scanned() {
			why = remarks.NoEndAmong
		}
		d.note("complet", "", d.Document.LastPage, remarks.AsGuessed, remarks.Of(why))
	}
}

// closing matches words of a text's last clauses, on publication, enforcement, entry into force, and the
// repeal of earlier provisions.
var closing = line.OptionalAccents(`(?i)publié|publication|insér|exécut|vigueur|abrog|contraires?|enregistré|communiqu`)

// openEnded reports whether a text of several articles has neither signature nor final clause, although it
// should: it is a scan, which keeps the signatures that prints on the web often omit, or all other texts of
// the file have an ending.
func (d *draft) openEnded() bool {
	return (d.scanned() || d.othersEnded) && d.articles >= 2 && d.unended()
}

// scanned reports whether the text's last line is on a scan.
func (d *draft) scanned() bool { return len(d.lines) > 0 && d.lines[len(d.lines)-1].Scanned }

// othersEnded reports whether all complete texts before the last one have an ending, and there is at least
// one. Acts without a title do not count.
func othersEnded(drafts []*draft) bool {
	whole := 0
	for _, d := range drafts[:len(drafts)-1] {
		if d.headless || d.head.Abridged || d.articles == 0 {
			continue
		}
		if d.unended() {
			return false
		}
		whole++
	}
	return whole > 0
}

// unended reports whether a text has neither signature nor annex, nor a final clause in its last two
// articles. Acts without a title need none.
func (d *draft) unended() bool {
	if d.head.Abridged {
		return false
	}
	seen := 0
	for i := len(d.pieces) - 1; i >= 0 && seen < 2; i-- {
		p := d.pieces[i]
		if p.Role == articles.SignatureRole || p.Role == articles.AnnexRole || strings.HasPrefix(p.Number, "Annexe") || closing.MatchString(d.Articles[i].Text) {
			return false
		}
		if p.Role == articles.ArticleRole {
			seen++
		}
	}
	return true
}

// noteGarbled records that words of the text are illegible because the file is damaged.
func (d *draft) noteGarbled(pages []layout.Page) {
	var damaged []int
	for _, p := range pages {
		if p.Number >= d.Document.FirstPage && p.Number <= d.Document.LastPage && p.Garbled() {
			damaged = append(damaged, p.Number)
		}
	}
	if len(damaged) > 0 {
		d.note("texte", "", d.Document.FirstPage, 0.2, remarks.Remark{Kind: remarks.FileDamaged, Pages: damaged})
	}
}

// noteCovered records that words of the text are covered on their page.
func (d *draft) noteCovered() {
	var words []string
	page := 0
	for _, l := range d.lines {
		for _, w := range l.Words {
			if w.Covered {
				words, page = append(words, w.Text), cmp.Or(page, l.Page)
			}
		}
	}
	if len(words) > 0 {
		d.note("texte", strings.Join(words, " "), page, 0.2, remarks.Of(remarks.WordsCovered))
	}
}

// cutShort reports whether the text breaks off: it ends within a sentence of an article, on a full line, and
// without a signature.
func (d *draft) cutShort() bool {
	if len(d.pieces) == 0 {
		return false
	}
	p := d.pieces[len(d.pieces)-1]
	if p.Role != articles.ArticleRole || len(p.Lines) == 0 {
		return false
	}
	l := p.Lines[len(p.Lines)-1]
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	return !line.Ends(l.Text) && !line.IsShort(l) && !l.Centered && !l.Spaced && l.Indent < 0.3*width
}

// noteLanguages records that lines of the text's pages, or of the next one, mix languages.
func (d *draft) noteLanguages(mixed []prepare.MixedPage) {
	for _, m := range mixed {
		if m.Page >= d.Document.FirstPage && m.Page <= d.Document.LastPage+1 {
			d.note("texte", m.Words, m.Page, 0.3, remarks.OnPage(remarks.LanguagesMixed, m.Page))
			return
		}
	}
}
