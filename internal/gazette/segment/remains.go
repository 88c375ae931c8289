package segment

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
)

// resumed reports whether the labels of a text without a title show no opening before the first article:
// neither visa nor formula nor title. With an opening, the text begins in the file, and merely its title was
// not recognized.
func resumed(labels []label.Label) bool {
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
func (s *splitter) setRemainsAside(drafts []*draft) []*draft {
	d := drafts[0]
	if s.hints.KeepRemains || len(drafts) < 2 || !d.headless || !d.resumed || len(d.repeat) > 0 || s.mending.speaksOf(d.lines) {
		return drafts
	}
	r := gazette.Remains{First: gazette.PlaceOf(d.lines[0].Line), FirstPage: d.Document.FirstPage, LastPage: d.Document.LastPage}
	for i, p := range d.pieces {
		if p.Role == articles.ArticleRole {
			r.Articles = append(r.Articles, d.Articles[i].Number)
		}
	}
	s.issue.Remains = &r
	s.issue.Loose = append(s.issue.Loose, line.LayoutOf(d.lines)...)
	s.mending.aside = 1
	return drafts[1:]
}
