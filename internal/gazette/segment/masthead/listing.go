package masthead

import (
	"strconv"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Entry is an entry of an issue's summary.
type Entry struct {
	Text  string
	Title titles.Title
	// number is head.number without the blanks that printers insert.
	Number string
	Page   int // as printed, 0 for none
}

// listing returns the entries of a summary that name their texts. It skips entries that only describe their texts
// (« Nomination d'un directeur »).
func listing(lines []line.Line, marks label.Reading) []Entry {
	var out []Entry
	open := false
	for i, l := range lines {
		if marks.Labels[i] != label.Summary {
			open = false
			continue
		}
		if _, _, named := titles.ReadNature(l.Text); named && heads.StartsBig(l.Text) {
			out, open = append(out, Entry{}), true
		}
		if !open {
			continue
		}
		e := &out[len(out)-1]
		e.Text = strings.TrimSpace(e.Text + " " + l.Text)
		if line.Leader.MatchString(l.Text) || l.Spaced && prepare.PageNumber.MatchString(l.Text) {
			open = false
		}
	}
	kept := out[:0]
	for _, e := range out {
		title := entryEnd.ReplaceAllString(e.Text, "")
		if title != e.Text || lostLeader.MatchString(e.Text) {
			e.Page, _ = strconv.Atoi(prepare.PageNumber.FindString(strings.TrimSpace(e.Text)))
		}
		if e.Title.Read(title) && (e.Title.Number != "" || !e.Title.Date.IsZero()) && !e.Title.Plural {
			e.Number = law.TextNumber(e.Title.Number)
			kept = append(kept, e)
		}
	}
	return kept
}
