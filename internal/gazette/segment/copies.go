package segment

import (
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/line"
)

// withoutCopies leaves out the texts that an issue contains twice, and returns their lines.
func withoutCopies(drafts []*draft) (own []*draft, cut []line.Line) {
	known := map[string]*draft{}
	for _, d := range drafts {
		key := d.head.Key() + d.head.Date.String()
		first, twice := known[key]
		if twice && d.head.Number != "" && d.copies(first) {
			cut = append(cut, d.lines...)
			continue
		}
		known[key] = d
		own = append(own, d)
	}
	return own, cut
}

// copies reports whether a text has the same words as another one.
func (d *draft) copies(other *draft) bool {
	return articles.Dice(line.Join(d.lines), line.Join(other.lines)) >= articles.SameText
}
