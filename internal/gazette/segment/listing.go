package segment

import (
	"strconv"
	"strings"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// listed is an entry of an issue's summary.
type listed struct {
	text string
	head head
	// number is head.number without the blanks that printers insert.
	number string
	page   int // as printed, 0 for none
}

// listing returns the entries of a summary that name their texts. It skips entries that only describe their texts
// (« Nomination d'un directeur »).
func listing(lines []line, marks marked) []listed {
	var out []listed
	open := false
	for i, l := range lines {
		if marks.labels[i] != Summary {
			open = false
			continue
		}
		if _, _, named := natureOf(l.text); named && heads.StartsBig(l.text) {
			out, open = append(out, listed{}), true
		}
		if !open {
			continue
		}
		e := &out[len(out)-1]
		e.text = strings.TrimSpace(e.text + " " + l.text)
		if leader.MatchString(l.text) || l.wide && pageNumber.MatchString(l.text) {
			open = false
		}
	}
	kept := out[:0]
	for _, e := range out {
		title := entryEnd.ReplaceAllString(e.text, "")
		if title != e.text || lostLeader.MatchString(e.text) {
			e.page, _ = strconv.Atoi(pageNumber.FindString(strings.TrimSpace(e.text)))
		}
		if e.head.read(title) && (e.head.number != "" || !e.head.date.IsZero()) && !e.head.plural {
			e.number = law.TextNumber(e.head.number)
			kept = append(kept, e)
		}
	}
	return kept
}
