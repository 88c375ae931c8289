package segment

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
)

// lacksOpening reports whether the labels of a text without a title show no opening before the first article:
// neither visa nor formula nor title. With an opening, the text begins in the file, and merely its title was
// not recognized.
func lacksOpening(labels []label.Label) bool {
	for _, l := range labels {
		switch l {
		case label.Article:
			return true
		case label.Visa, label.Formula, label.Head, label.Title:
			return false
		}
	}
	return true
}

// setRemainsAside removes the first text if it is only the end of a text that begins before the file, and other texts
// follow: without a title the catalogue cannot list it. Issue.Remains then locates it. The text stays if the hints ask
// for it or an edit names one of its lines.
func (s *splitter) setRemainsAside(drafts []*texts.Draft) []*texts.Draft {
	d := drafts[0]
	if s.hints.KeepRemains || len(drafts) < 2 || !d.Headless || !d.Resumed || len(d.Repeat) > 0 || s.applier.Names(d.Lines) {
		return drafts
	}
	r := gazette.Remains{First: gazette.PlaceOf(d.Lines[0].Line), FirstPage: d.Document.FirstPage, LastPage: d.Document.LastPage}
	for i, p := range d.Pieces {
		if p.Role == articles.ArticleRole {
			r.Articles = append(r.Articles, d.Articles[i].Number)
		}
	}
	s.issue.Remains = &r
	s.issue.Loose = append(s.issue.Loose, line.LayoutOf(d.Lines)...)
	s.applier.Aside = 1
	return drafts[1:]
}
