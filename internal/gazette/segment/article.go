package segment

import (
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

var annexHead = law.Pattern(`^(?:ANNEXES?|Annexes?)(?: *(?:n ?[°º] ?|N ?[°º] ?)?(` + heads.Roman + `|\d{1,2}|[A-H])\b)? *((?:[.:]|~)* *)((?:\p{Lu}|«).*)?$`)

// article reads the line as the head of an article: as mendHeads repaired it, else as heads.Read reads it.
func (l line) article(last string) (number string, end int, ok bool) {
	if l.mended.Number != "" {
		return l.mended.Number, l.mended.End, true
	}
	return heads.Read(l.text, last)
}

// ownTitle reports whether the rest of the line after an article's number is the article's title (« Article
// 2 : Définitions »). next is the following line, nil for none.
func ownTitle(rest line, next *line) bool {
	t := rest.text
	if t == "" || len(t) > 120 || next == nil || originNote.MatchString(t) || strings.ContainsAny(t[len(t)-1:], ".;:,-") || !heads.StartsBig(t) {
		return false
	}
	if !heads.StartsBig(next.text) && !item.MatchString(next.text) || dateGoesOn(t, next.text) {
		return false
	}
	if next.opens && short(rest) && (rest.Bold && !next.Bold || !next.mid) {
		return true
	}
	return rest.Slack > 0.3*(rest.Rect[2]-rest.Rect[0]+rest.Indent+rest.Slack)
}
