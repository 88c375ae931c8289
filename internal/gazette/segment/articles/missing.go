package articles

import (
	"maps"
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
)

// addMissing adds the heads that are hard to read to the heads that countHeads chose.
func (b *Body) addMissing(o heads.Obscured) {
	chosen := make([]heads.Head, 0, len(b.Heads))
	for _, i := range slices.Sorted(maps.Keys(b.Heads)) {
		chosen = append(chosen, b.Heads[i])
	}
	for _, h := range o.FindMissing(chosen, b.seenLine) {
		b.Heads[h.Line] = h
	}
}

// seenLine returns line i as the search for missing heads sees it.
func (b *Body) seenLine(i int) heads.Line {
	seen := line.HeadLine(b.Lines, i)
	_, division := b.Lines[i].Heading()
	seen.Taken = division || b.Quoted[i] || b.Lines[i].Repaired.Number != ""
	return seen
}

// Resumes reports whether the lines before the first head are the end of a text: their first article has a
// number above one.
func Resumes(lines []line.Line) bool {
	for i, l := range lines {
		if number, _, ok := l.Article(""); ok && line.MayHead(line.Before(lines, i), l) {
			n, counted := heads.LeadingNumber(number)
			return counted && n > 1
		}
	}
	return false
}
