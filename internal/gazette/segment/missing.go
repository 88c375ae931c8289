package segment

import (
	"maps"
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
)

// addMissing adds the heads that are hard to read to the heads that countHeads chose.
func (b *body) addMissing(o heads.Obscured) {
	chosen := make([]heads.Head, 0, len(b.heads))
	for _, i := range slices.Sorted(maps.Keys(b.heads)) {
		chosen = append(chosen, b.heads[i])
	}
	for _, h := range o.Missing(chosen, b.seenLine) {
		b.heads[h.Line] = h
	}
}

// seenLine returns what the search for missing heads sees of line i.
func (b *body) seenLine(i int) heads.Line {
	seen := line.HeadLine(b.lines, i)
	_, division := b.lines[i].Heading()
	seen.Taken = division || b.quoted[i] || b.lines[i].Repaired.Number != ""
	return seen
}
