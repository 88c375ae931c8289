package judged

import (
	"slices"
	"strings"
	"vigueur/scripts/corpora"

	"vigueur/lab/training/encoder/learn"
)

// NoPart is no part of any parting: with it nothing is left out.
const NoPart = -1

// Lay are the articles of the gazettes that have questions, and these questions as sheets that are a title alone, for
// encoder/learn. Of a part, neither questions nor articles of the files are there; NoPart leaves nothing out.
func (s *Set) Lay(by Parting, part int) (articles []learn.Article, sheets []learn.Sheet) {
	files := make(map[string]bool)
	for i := range s.Questions {
		if q := &s.Questions[i]; len(q.Right) > 0 && by.Part(q) != part {
			files[q.Split] = true
		}
	}
	at := make(map[string]int)
	for i := range s.rows {
		r := &s.rows[i]
		file := s.kept.Files[r.Passage.DocumentID]
		if !files[file] || by.Part(&Question{Split: file, Asked: &corpora.Asked{Gold: []corpora.Gold{{Document: file}}}}) == part {
			continue
		}
		name := s.names[r.Passage.ArticleID]
		if k, known := at[name]; known {
			articles[k].Text += "\n" + r.Passage.Text
			continue
		}
		at[name] = len(articles)
		path := slices.DeleteFunc(append(slices.Clone(r.Path), r.ArticleHeading), func(heading string) bool { return heading == "" })
		articles = append(articles, learn.Article{ID: name, Title: strings.Join(path, " > "), Text: r.Passage.Text, Code: r.Passage.DocumentID.String(), Num: r.ArticleNumber})
	}
	for i := range s.Questions {
		q := &s.Questions[i]
		if by.Part(q) == part {
			continue
		}
		sheet := learn.Sheet{ID: q.ID, Title: q.Text, Group: q.Split}
		for name := range q.Right {
			if k, ok := at[name]; ok {
				sheet.Right = append(sheet.Right, k)
			}
		}
		if slices.Sort(sheet.Right); len(sheet.Right) > 0 {
			sheets = append(sheets, sheet)
		}
	}
	return articles, sheets
}
