package line

import (
	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// AnnexHead matches the head of an annex, with its number and its title.
var AnnexHead = law.Pattern(`^(?:ANNEXES?|Annexes?)(?: *(?:n ?[°º] ?|N ?[°º] ?)?(` + heads.Roman + `|\d{1,2}|[A-H])\b)? *((?:[.:]|~)* *)((?:\p{Lu}|«).*)?$`)

// Article reads the line as the head of an article: as mendHeads repaired it, else as heads.Read reads it.
func (l Line) Article(last string) (number string, end int, ok bool) {
	if l.Repaired.Number != "" {
		return l.Repaired.Number, l.Repaired.End, true
	}
	return heads.Read(l.Text, last)
}
