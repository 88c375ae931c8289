package doubts

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
)

// announcesText reports whether the entry names the text d: by its number or, if the entry or the text has no number,
// by words of the title. In the second case their dates must not differ.
func announcesText(e masthead.Entry, d *texts.Draft) bool {
	switch {
	case e.Title.Kind.Type != d.Title.Kind.Type:
		return false
	case e.Title.Number != "" && d.Title.Number != "":
		return e.Number == d.Number
	case !e.Title.Date.IsZero() && !d.Title.Date.IsZero() && !e.Title.Date.Equal(d.Title.Date):
		return false
	}
	return d.Title.Abridged || titles.SharedWords(e.Title.Object, d.Title.Object) >= titles.LeastShared
}

// remark is a signal that the summary gives about a text.
type remark struct {
	text  int // index of the text
	kind  gazette.SignalKind
	value float64
	field string
	words string
	page  int
	why   remarks.Remark
}

// matching assigns texts to the entries of a summary. Each entry gets the first text that it names and that
// no earlier entry has.
type matching struct {
	textOf []int  // for each entry the index of its text, -1 for none
	named  []bool // for each text whether an entry names it
	found  int    // number of entries that have a text
}

func matchSummary(m masthead.Masthead, drafts []*texts.Draft) matching {
	out := matching{textOf: make([]int, len(m.Listed)), named: make([]bool, len(drafts))}
	for i, e := range m.Listed {
		out.textOf[i] = -1
		for k, d := range drafts {
			if !out.named[k] && announcesText(e, d) {
				out.textOf[i], out.named[k] = k, true
				out.found++
				break
			}
		}
	}
	return out
}

// CompareSummary adds a signal to each text on which the issue and its summary disagree.
func CompareSummary(m masthead.Masthead, drafts []*texts.Draft) {
	for _, r := range summaryRemarks(m, drafts, matchSummary(m, drafts)) {
		addSignal(drafts[r.text], r.kind, r.value, r.field, r.words, r.page, r.why)
	}
}

// summaryRemarks returns what a summary says about the texts of its issue. It ignores a summary that names none of these
// texts: such a summary belongs to another issue, or was misread.
func summaryRemarks(m masthead.Masthead, drafts []*texts.Draft, match matching) []remark {
	if match.found == 0 {
		return nil
	}
	var out []remark
	at := 0
	for i, e := range m.Listed {
		if match.textOf[i] >= 0 {
			at = match.textOf[i]
			continue
		}
		out = append(out, remark{at, gazette.Unfound, 1, "complet", e.Text, drafts[at].Document.LastPage,
			remarks.Remark{Kind: remarks.SummaryNamesOther, Announced: len(m.Listed), Found: match.found}})
	}
	for k, d := range drafts {
		if !match.named[k] && !d.Headless {
			out = append(out, remark{k, gazette.NotAnnounced, float64(match.found) / float64(len(drafts)), "title", d.Printed, d.Document.FirstPage, remarks.Of(remarks.SummaryLacks)})
		}
	}
	return out
}
