package articles

import (
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

var (
	// PlaceAndDay matches « Tunis, le 11 juillet 2016. »
	PlaceAndDay = law.Pattern(`^\p{Lu}[\p{L}-]+(?:~\p{Lu}[\p{L}]+| \p{Lu}[\p{L}]+)?, +le ` + line.DateText + `\.?$`)
	// « Le Président de la République, », « Par le Premier ministre : », « Pour le ministre … »
	office = law.Pattern(`^(?:P(?:ar|our) +(?:ampliation|copie)|(?i:(?:(?:p(?:ar|our) +)?(?:délégation *,? *)?(?:le|la|l') ?)(?:(?:vice~)?pr[ée]sidente?|premi[eè]re? ministre|ministres?|garde des sceaux|chef de l'[eé]tat|roi|gouverneure?|secr[ée]taire|directeur|directrice|maire|pr[ée]fet|haut~commissaire))|Le (?:Roi|Chef)).*$`)
	// A person's name ends in capitals: « Ysoline BRÉHANCOURT ».
	personName = law.Pattern(`^(?:(?:M|Mme|Dr|Pr|Maître)\.? +)?(?:(?:\p{Lu}[\p{L}.]*|de|El|Ould|Ben)(?:~| )*)+$`)
)

// signaturesBegin reports whether the signatures of the text begin at line i, with a place and a date, or with an
// office and a name below it.
func (b *Body) signaturesBegin(i int) bool {
	l := b.Lines[i]
	if line.MadeAt.MatchString(l.Text) && len(l.Text) < 140 || PlaceAndDay.MatchString(l.Text) {
		return b.nothingFollows(i)
	}
	if b.state == PreambleRole || !office.MatchString(l.Text) || len(l.Text) > 110 || strings.ContainsAny(l.Text[len(l.Text)-1:], ".;") || !l.Centered && !line.IsShort(l) {
		return false
	}
	for j := i + 1; j < len(b.Lines) && j <= i+3; j++ {
		t := b.Lines[j].Text
		if personName.MatchString(t) && line.AllCaps(line.LastWord(t)) {
			return b.nothingFollows(i)
		}
	}
	return false
}

// nothingFollows reports whether no article of the same numbering comes after line i. If such an article comes, the
// place and the date are in the middle of the text and do not end it.
func (b *Body) nothingFollows(i int) bool {
	for j := i; j < len(b.Lines); j++ {
		l := b.Lines[j]
		if b.Quoted[j] || !line.MayHead(line.Before(b.Lines, j), l) {
			continue
		}
		if line.AnnexHead.MatchString(l.Text) || b.opensAnnex(j) || line.WholeCode.MatchString(l.Text) {
			return true
		}
		if number, _, ok := l.Article(b.last); ok {
			return !heads.MayFollow(number, b.last)
		}
	}
	return true
}

// BreakSignatures makes each office and each name begin a paragraph. The spacing of signatures is too irregular
// to tell paragraphs by their gaps.
func BreakSignatures(lines []line.Line) []line.Line {
	named := false
	for i := range lines {
		t := lines[i].Text
		person := personName.MatchString(t) && line.AllCaps(line.LastWord(t)) && !line.AllCaps(line.FirstWord(t))
		lines[i].Opens = lines[i].Opens || named || person || office.MatchString(t)
		named = person
	}
	return lines
}

// Signatories returns the signatures as « office : name ». An office may take several lines, and the name is
// below it.
func Signatories(pieces []Piece) []string {
	var out []string
	for _, p := range pieces {
		if p.Role != SignatureRole {
			continue
		}
		var titles []string
		for _, l := range p.Lines {
			switch {
			case line.MadeAt.MatchString(l.Text) || PlaceAndDay.MatchString(l.Text) || strings.HasSuffix(l.Text, ";"):
				titles = nil
			case len(titles) > 0 && personName.MatchString(l.Text) && line.AllCaps(line.LastWord(l.Text)):
				out = append(out, strings.Trim(strings.Join(titles, " "), " ,:.-–—")+" : "+strings.Trim(l.Text, " ,.-–—"))
				titles = nil
			case office.MatchString(l.Text):
				titles = []string{l.Text}
			case len(titles) > 0 && len(titles) < 4:
				titles = append(titles, l.Text)
			}
		}
	}
	return out
}
