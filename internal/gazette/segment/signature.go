package segment

import (
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

var (
	// « Tunis, le 11 juillet 2016. »
	placeAndDay = law.Pattern(`^\p{Lu}[\p{L}-]+(?:~\p{Lu}[\p{L}]+| \p{Lu}[\p{L}]+)?, +le ` + dateText + `\.?$`)
	// « Le Président de la République, », « Par le Premier ministre : », « Pour le ministre … »
	office = law.Pattern(`^(?:P(?:ar|our) +(?:ampliation|copie)|(?i:(?:(?:p(?:ar|our) +)?(?:délégation *,? *)?(?:le|la|l') ?)(?:(?:vice~)?pr[ée]sidente?|premi[eè]re? ministre|ministres?|garde des sceaux|chef de l'[eé]tat|roi|gouverneure?|secr[ée]taire|directeur|directrice|maire|pr[ée]fet|haut~commissaire))|Le (?:Roi|Chef)).*$`)
	// A person's name ends in capitals: « Ysoline BRÉHANCOURT ».
	personName = law.Pattern(`^(?:(?:M|Mme|Dr|Pr|Maître)\.? +)?(?:(?:\p{Lu}[\p{L}.]*|de|El|Ould|Ben)(?:~| )*)+$`)
)

// signaturesBegin reports whether the signatures of the text begin at line i, with a place and a date, or with an
// office and a name below it.
func (b *body) signaturesBegin(i int) bool {
	l := b.lines[i]
	if madeAt.MatchString(l.text) && len(l.text) < 140 || placeAndDay.MatchString(l.text) {
		return b.nothingFollows(i)
	}
	if b.state == preambleRole || !office.MatchString(l.text) || len(l.text) > 110 || strings.ContainsAny(l.text[len(l.text)-1:], ".;") || !l.mid && !short(l) {
		return false
	}
	for j := i + 1; j < len(b.lines) && j <= i+3; j++ {
		t := b.lines[j].text
		if personName.MatchString(t) && capitals(lastOf(t)) {
			return b.nothingFollows(i)
		}
	}
	return false
}

// nothingFollows reports whether no article of the same numbering comes after line i. If such an article comes, the
// place and the date are in the middle of the text and do not end it.
func (b *body) nothingFollows(i int) bool {
	for j := i; j < len(b.lines); j++ {
		l := b.lines[j]
		if b.quoted[j] || !mayHead(before(b.lines, j), l) {
			continue
		}
		if annexHead.MatchString(l.text) || b.opensAnnex(j) || wholeCode.MatchString(l.text) {
			return true
		}
		if number, _, ok := l.article(b.last); ok {
			return !heads.MayFollow(number, b.last)
		}
	}
	return true
}

// lastOf returns the last word of a text.
func lastOf(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// asSignedLines makes each office and each name begin a paragraph. The spacing of signatures is too irregular
// to tell paragraphs by their gaps.
func asSignedLines(lines []line) []line {
	named := false
	for i := range lines {
		t := lines[i].text
		person := personName.MatchString(t) && capitals(lastOf(t)) && !capitals(firstWord(t))
		lines[i].opens = lines[i].opens || named || person || office.MatchString(t)
		named = person
	}
	return lines
}

// signatories returns the signatures as « office : name ». An office may take several lines, and the name is
// below it.
func signatories(pieces []piece) []string {
	var out []string
	for _, p := range pieces {
		if p.role != signatureRole {
			continue
		}
		var titles []string
		for _, l := range p.lines {
			switch {
			case madeAt.MatchString(l.text) || placeAndDay.MatchString(l.text) || strings.HasSuffix(l.text, ";"):
				titles = nil
			case len(titles) > 0 && personName.MatchString(l.text) && capitals(lastOf(l.text)):
				out = append(out, strings.Trim(strings.Join(titles, " "), " ,:.-–—")+" : "+strings.Trim(l.text, " ,.-–—"))
				titles = nil
			case office.MatchString(l.text):
				titles = []string{l.text}
			case len(titles) > 0 && len(titles) < 4:
				titles = append(titles, l.text)
			}
		}
	}
	return out
}
