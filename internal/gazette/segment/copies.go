package segment

// withoutCopies leaves out the texts that an issue contains twice, and returns their lines.
func withoutCopies(drafts []*draft) (own []*draft, cut []line) {
	known := map[string]*draft{}
	for _, d := range drafts {
		key := d.head.key() + d.head.date.String()
		first, twice := known[key]
		if twice && d.head.number != "" && d.copies(first) {
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
	return commonShare(joined(d.lines), joined(other.lines)) >= sameText
}
