package articles

import (
	"maps"
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
)

// A consolidated text prints amended words in quotation marks, with the heads of articles. No sentence announces these
// heads, and they fill the gaps between the other heads.

// addAmended adds the quoted heads to the heads that countHeads chose, if they fill a gap between these.
func (b *Body) addAmended() {
	quoted := b.amendedHeads()
	own := slices.Sorted(maps.Keys(b.Heads))
	if !b.fillGap(quoted, own) {
		return
	}
	last, k := "", 0
	for _, h := range quoted {
		for ; k < len(own) && own[k] < h.Line; k++ {
			last = b.Heads[own[k]].Number
		}
		n, _ := heads.LeadingNumber(h.Number)
		if k < len(own) {
			if next, ok := heads.LeadingNumber(b.Heads[own[k]].Number); own[k] == h.Line || ok && n >= next {
				continue
			}
		}
		if heads.MayFollow(h.Number, last) {
			b.Heads[h.Line], last = h, h.Number
		}
	}
}

// amendedHeads returns the heads within quotation marks that no sentence announces.
func (b *Body) amendedHeads() []heads.Head {
	var out []heads.Head
	for i, l := range b.Lines {
		number, end, ok := l.Article("")
		if h, opened := line.ReadQuotedHead(l.Text); !ok && opened && h.Opened && !h.IsNew {
			number, end, ok = h.Number, h.To, true
		} else if ok = ok && b.Quoted[i]; ok && heads.MarksNew(l.Text, end) {
			ok = false
		}
		if ok && !b.awaited[i] && line.MayHead(line.Before(b.Lines, i), l) && !(i > 0 && line.Announces(b.Lines[:i])) {
			out = append(out, heads.Head{Line: i, Number: number, End: end})
		}
	}
	return out
}

// fillGap reports whether quoted heads have all numbers, in order, that a gap between the given lines of heads leaves out.
func (b *Body) fillGap(quoted []heads.Head, own []int) bool {
	before, from := 0, -1
	for _, to := range own {
		n, ok := heads.LeadingNumber(b.Heads[to].Number)
		if !ok || heads.Lettered(b.Heads[to].Number) {
			return false
		}
		if _, gap := heads.Between(before, n); gap {
			want := before + 1
			for _, h := range quoted {
				if m, ok := heads.LeadingNumber(h.Number); ok && h.Line > from && h.Line < to && m == want {
					want++
				}
			}
			if want >= n {
				return true
			}
		}
		before, from = n, to
	}
	return false
}
