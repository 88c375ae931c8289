package learn

import "slices"

// With returns a learner that has learned the same so far, and for which further texts and sheets are beside those of its
// corpus: the right ones of a sheet are places among these articles. They have the words of the corpus: others have no vector
// (words that only some texts have were tried; they make the search worse).
func (l *Learner) With(articles []Article, sheets []Sheet) *Learner {
	c := *l.Corpus
	first := len(c.Articles)
	c.Articles, c.Sheets = slices.Concat(c.Articles, articles), slices.Concat(c.Sheets, sheets)
	var r reader
	for i := first; i < len(c.Articles); i++ {
		a := &c.Articles[i]
		a.path, a.sentences, a.next = c.words.of(r.words(a.Title)), c.words.all(r.sentences(a.Text)), -1
		if before := &c.Articles[i-1]; i > first && before.Code == a.Code && before.Title == a.Title {
			before.next = i
		}
	}
	for i := len(c.Sheets) - len(sheets); i < len(c.Sheets); i++ {
		s := &c.Sheets[i]
		s.title, s.sentences = c.words.of(r.words(s.Title)), c.words.all(r.sentences(s.Text))
		s.Beside, s.Right = true, slices.Clone(s.Right)
		for k := range s.Right {
			s.Right[k] += first
		}
	}
	out := l.Clone()
	out.Corpus = &c
	return out
}
