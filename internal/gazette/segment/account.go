package segment

import (
	"slices"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/masthead"
)

// account sums up the evidence for and against a reading of a file, over all its texts: the value of each
// kind of witness, then the signs below.
type account [signCount]float64

// Indexes in an account, after the indexes of WitnessKinds.
const (
	undatedSign  = iota + witnessCount // texts without a date
	namelessSign                       // texts whose nature is unknown
	tooLateSign                        // texts dated after the issue
	foundSign                          // entries of the summary whose text was found
	signCount
)

const witnessCount = 13

// extraSigns holds the names, in Judgment.Rereading, of the signs of an account that are no witnesses.
var extraSigns = [signCount - witnessCount]string{"undated", "nameless", "too late", "found"}

// allSigns returns the names of all signs of an account, in order.
func allSigns() []string {
	out := make([]string, 0, signCount)
	for _, k := range gazette.SignalKinds() {
		out = append(out, string(k))
	}
	return append(out, extraSigns[:]...)
}

var witnessIndex = func() map[gazette.SignalKind]int {
	out := map[gazette.SignalKind]int{}
	for i, k := range gazette.SignalKinds() {
		out[k] = i
	}
	return out
}()

// weighed is the draft of a text of a reading, which no longer changes, and the account of this text alone.
type weighed struct {
	*draft
	account account
}

// weigh computes a text's account from its own words and the date, nil if it is unknown.
func weigh(d *draft, issued *time.Time) weighed {
	w := weighed{draft: d}
	seen := *d
	seen.Signals = slices.Clone(d.Signals)
	if !seen.headless {
		seen.Absent = absent(seen.Articles)
	}
	seen.noteCount()
	switch {
	case seen.Document.Type == "":
		w.account[namelessSign] = 1
	case seen.withoutArticles() && !seen.bill:
		seen.noArticle()
	}
	if seen.date.IsZero() && !seen.headless {
		w.account[undatedSign] = 1
	}
	if issued != nil && seen.date.After(*issued) {
		w.account[tooLateSign] = 1
	}
	for _, x := range seen.Signals {
		w.account[witnessIndex[x.Kind]] = x.Value
	}
	return w
}

// sumAccounts returns the account of a reading: the sum over its texts, and what the summary says about them.
func sumAccounts(m masthead.Masthead, all []weighed) account {
	var out account
	drafts := make([]*draft, len(all))
	for i, t := range all {
		drafts[i] = t.draft
		for k, v := range t.account {
			out[k] += v
		}
	}
	match := matchSummary(m, drafts)
	out[foundSign] = float64(match.found)
	for _, r := range summaryRemarks(m, drafts, match) {
		out[witnessIndex[r.kind]] += r.value
	}
	return out
}
