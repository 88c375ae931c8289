package texts

import (
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/line"
)

// DropCopies leaves out the texts that an issue contains twice, and returns their lines.
func DropCopies(drafts []*Draft) (own []*Draft, cut []line.Line) {
	known := map[string]*Draft{}
	for _, d := range drafts {
		key := d.Title.Key() + d.Title.Date.String()
		first, twice := known[key]
		if twice && d.Title.Number != "" && d.copies(first) {
			cut = append(cut, d.Lines...)
			continue
		}
		known[key] = d
		own = append(own, d)
	}
	return own, cut
}

// copies reports whether a text has the same words as another one.
func (d *Draft) copies(other *Draft) bool {
	return articles.Dice(line.Join(d.Lines), line.Join(other.Lines)) >= articles.SameText
}
