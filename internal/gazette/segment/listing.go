package segment

import (
	"strconv"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// listed is an entry of an issue's summary.
type listed struct {
	text string
	head titles.Title
	// number is head.number without the blanks that printers insert.
	number string
	page   int // as printed, 0 for none
}

// listing returns the entries of a summary that name their texts. It skips entries that only describe their texts
// (« Nomination d'un directeur »).
func listing(lines []line.Line, marks marked) []listed {
	var out []listed
	open := false
	for i, l := range lines {
		if marks.labels[i] != Summary {
			open = false
			continue
		}
		if _, _, named := titles.ReadNature(l.Text); named && heads.StartsBig(l.Text) {
			out, open = append(out, listed{}), true
		}
		if !open {
			continue
		}
		e := &out[len(out)-1]
		e.text = strings.TrimSpace(e.text + " " + l.Text)
		if line.Leader.MatchString(l.Text) || l.Spaced && prepare.PageNumber.MatchString(l.Text) {
			open = false
		}
	}
	kept := out[:0]
	for _, e := range out {
		title := entryEnd.ReplaceAllString(e.text, "")
		if title != e.text || lostLeader.MatchString(e.text) {
			e.page, _ = strconv.Atoi(prepare.PageNumber.FindString(strings.TrimSpace(e.text)))
		}
		if e.head.Read(title) && (e.head.Number != "" || !e.head.Date.IsZero()) && !e.head.Plural {
			e.number = law.TextNumber(e.head.Number)
			kept = append(kept, e)
		}
	}
	return kept
}
