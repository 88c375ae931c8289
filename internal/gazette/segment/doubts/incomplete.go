package doubts

import (
	"cmp"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/texts"
)

// A page taken from a gazette may begin within one text and end within another, and a file may be cut off.
// Such texts are kept, and said to be incomplete.

// noteEnds records that the beginning or the end of a text is missing from the file.
func noteEnds(d *texts.Draft) {
	if d.Headless {
		Note(d, "complet", "", d.Document.FirstPage, 0.1, remarks.Of(remarks.BeginsBefore))
	}
	if d.IsLast && cutShort(d) {
		Note(d, "complet", "", d.Document.LastPage, 0.3, remarks.Of(remarks.EndsAfter))
	} else if d.IsLast && !d.Headless && openEnded(d) {
		why := remarks.NoEndOfScan
		if !scanned(d) {
			why = remarks.NoEndAmong
		}
		Note(d, "complet", "", d.Document.LastPage, remarks.AsGuessed, remarks.Of(why))
	}
}

// closing matches words of a text's last clauses, on publication, enforcement, entry into force, and the
// repeal of earlier provisions.
var closing = line.OptionalAccents(`(?i)publié|publication|insér|exécut|vigueur|abrog|contraires?|enregistré|communiqu`)

// openEnded reports whether a text of several articles has neither signature nor final clause, although it
// should: it is a scan, which keeps the signatures that prints on the web often omit, or all other texts of
// the file have an ending.
func openEnded(d *texts.Draft) bool {
	return (scanned(d) || d.OthersEnded) && d.ArticleCount >= 2 && lacksEnd(d)
}

// scanned reports whether the text's last line is on a scan.
func scanned(d *texts.Draft) bool { return len(d.Lines) > 0 && d.Lines[len(d.Lines)-1].Scanned }

// OthersEnded reports whether all complete texts before the last one have an ending, and there is at least
// one. Acts without a title do not count.
func OthersEnded(drafts []*texts.Draft) bool {
	whole := 0
	for _, d := range drafts[:len(drafts)-1] {
		if d.Headless || d.Title.Abridged || d.ArticleCount == 0 {
			continue
		}
		if lacksEnd(d) {
			return false
		}
		whole++
	}
	return whole > 0
}

// lacksEnd reports whether a text has neither signature nor annex, nor a final clause in its last two
// articles. Acts without a title need none.
func lacksEnd(d *texts.Draft) bool {
	if d.Title.Abridged {
		return false
	}
	seen := 0
	for i := len(d.Pieces) - 1; i >= 0 && seen < 2; i-- {
		p := d.Pieces[i]
		if p.Role == articles.SignatureRole || p.Role == articles.AnnexRole || strings.HasPrefix(p.Number, "Annexe") || closing.MatchString(d.Articles[i].Text) {
			return false
		}
		if p.Role == articles.ArticleRole {
			seen++
		}
	}
	return true
}

// NoteGarbled records that words of the text are illegible because the file is damaged.
func NoteGarbled(d *texts.Draft, pages []layout.Page) {
	var damaged []int
	for _, p := range pages {
		if p.Number >= d.Document.FirstPage && p.Number <= d.Document.LastPage && p.Garbled() {
			damaged = append(damaged, p.Number)
		}
	}
	if len(damaged) > 0 {
		Note(d, "texte", "", d.Document.FirstPage, 0.2, remarks.Remark{Kind: remarks.FileDamaged, Pages: damaged})
	}
}

// NoteCovered records that words of the text are covered on their page.
func NoteCovered(d *texts.Draft) {
	var words []string
	page := 0
	for _, l := range d.Lines {
		for _, w := range l.Words {
			if w.Covered {
				words, page = append(words, w.Text), cmp.Or(page, l.Page)
			}
		}
	}
	if len(words) > 0 {
		Note(d, "texte", strings.Join(words, " "), page, 0.2, remarks.Of(remarks.WordsCovered))
	}
}

// cutShort reports whether the text breaks off: it ends within a sentence of an article, on a full line, and
// without a signature.
func cutShort(d *texts.Draft) bool {
	if len(d.Pieces) == 0 {
		return false
	}
	p := d.Pieces[len(d.Pieces)-1]
	if p.Role != articles.ArticleRole || len(p.Lines) == 0 {
		return false
	}
	l := p.Lines[len(p.Lines)-1]
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	return !line.Ends(l.Text) && !line.IsShort(l) && !l.Centered && !l.Spaced && l.Indent < 0.3*width
}

// NoteLanguages records that lines of the text's pages, or of the next one, mix languages.
func NoteLanguages(d *texts.Draft, mixed []prepare.MixedPage) {
	for _, m := range mixed {
		if m.Page >= d.Document.FirstPage && m.Page <= d.Document.LastPage+1 {
			Note(d, "texte", m.Words, m.Page, 0.3, remarks.OnPage(remarks.LanguagesMixed, m.Page))
			return
		}
	}
}
