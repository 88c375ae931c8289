package doubts

import (
	"slices"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/texts"
)

// Account sums up the evidence for and against a reading of a file, over all its texts: the value of each
// kind of signal, then the signs below.
type Account [signCount]float64

// Indexes in an account, after the indexes of SignalKinds.
const (
	UndatedSign  = iota + signalCount // texts without a date
	NamelessSign                      // texts whose nature is unknown
	TooLateSign                       // texts dated after the issue
	foundSign                         // entries of the summary whose text was found
	signCount
)

const signalCount = 13

// extraSigns holds the names, in Judgment.Rereading, of the signs of an account that are no signals.
var extraSigns = [signCount - signalCount]string{"undated", "nameless", "too late", "found"}

// AllSigns returns the names of all signs of an account, in order.
func AllSigns() []string {
	out := make([]string, 0, signCount)
	for _, k := range gazette.SignalKinds() {
		out = append(out, string(k))
	}
	return append(out, extraSigns[:]...)
}

// SignalIndex holds the index of each kind of signal in an account.
var SignalIndex = func() map[gazette.SignalKind]int {
	out := map[gazette.SignalKind]int{}
	for i, k := range gazette.SignalKinds() {
		out[k] = i
	}
	return out
}()

// Weighed is the draft of a text of a reading, which no longer changes, and the account of this text alone.
type Weighed struct {
	*texts.Draft
	Account Account
}

// Weigh computes a text's account from its own words and the date, nil if it is unknown.
func Weigh(d *texts.Draft, issued *time.Time) Weighed {
	w := Weighed{Draft: d}
	seen := *d
	seen.Signals = slices.Clone(d.Signals)
	if !seen.Headless {
		seen.Absent = missingNumbers(seen.Articles)
	}
	noteCount(&seen)
	switch {
	case seen.Document.Type == "":
		w.Account[NamelessSign] = 1
	case withoutArticles(&seen) && !seen.Bill:
		addNoArticle(&seen)
	}
	if seen.Date.IsZero() && !seen.Headless {
		w.Account[UndatedSign] = 1
	}
	if issued != nil && seen.Date.After(*issued) {
		w.Account[TooLateSign] = 1
	}
	for _, x := range seen.Signals {
		w.Account[SignalIndex[x.Kind]] = x.Value
	}
	return w
}

// SumAccounts returns the account of a reading: the sum over its texts, and the signals that the summary gives.
func SumAccounts(m masthead.Masthead, all []Weighed) Account {
	var out Account
	drafts := make([]*texts.Draft, len(all))
	for i, t := range all {
		drafts[i] = t.Draft
		for k, v := range t.Account {
			out[k] += v
		}
	}
	match := matchSummary(m, drafts)
	out[foundSign] = float64(match.found)
	for _, r := range summaryRemarks(m, drafts, match) {
		out[SignalIndex[r.kind]] += r.value
	}
	return out
}
